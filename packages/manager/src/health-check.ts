/** One thing that must be so for the process to be called well, or ready. */
export interface HealthCheck {
  /** As in the path `/readyz/<name>`. */
  readonly name: string;
  /** What is wrong; `undefined` if nothing is. */
  readonly trouble: string | undefined;
}

export interface HealthAnswer {
  readonly statusCode: 200 | 404 | 500;
  readonly body: string;
}

export interface HealthQuery {
  /** `healthz` or `readyz`. */
  readonly endpoint: string;
  /** Only this one. */
  readonly only?: string;
  readonly exclude?: readonly string[];
  readonly verbose?: boolean;
}

/** Answers as Kubernetes' own components do (k8s.io/apiserver `pkg/server/healthz`), but says what is wrong. */
export function answerHealth(
  checks: readonly HealthCheck[],
  { endpoint, only, exclude = [], verbose = false }: HealthQuery,
): HealthAnswer {
  const asked = checks.filter(({ name }) => (only === undefined ? !exclude.includes(name) : name === only));
  if (only !== undefined && asked.length === 0) return { statusCode: 404, body: `no check is named ${only}\n` };
  const failed = asked.filter(({ trouble }) => trouble !== undefined);
  if (failed.length === 0 && !verbose) return { statusCode: 200, body: "ok" };
  const lines = asked.map(({ name, trouble }) =>
    trouble === undefined ? `[+]${name} ok` : `[-]${name} failed: ${trouble}`,
  );
  return {
    statusCode: failed.length === 0 ? 200 : 500,
    body: [...lines, `${endpoint} check ${failed.length === 0 ? "passed" : "failed"}`, ""].join("\n"),
  };
}
