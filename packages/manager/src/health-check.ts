/** One thing that must be so for the process to be called well, or ready. */
export interface HealthCheck {
  /** As in the path `/readyz/<name>`. */
  readonly name: string;
  /** What is wrong; `undefined` if nothing is. */
  readonly trouble: string | undefined;
  /** What a person who asks should know, although the check passes. */
  readonly note?: string;
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
  if (only !== undefined && !checks.some(({ name }) => name === only))
    return { statusCode: 404, body: `no check is named ${only}\n` };
  const asked = only === undefined ? checks : checks.filter(({ name }) => name === only);
  const failed = asked.some(({ name, trouble }) => trouble !== undefined && !exclude.includes(name));
  if (!failed && !verbose) return { statusCode: 200, body: "ok" };
  const lines = asked.map((check) => (exclude.includes(check.name) ? `[+]${check.name} excluded: ok` : lineOf(check)));
  const unknown = exclude.filter((each) => !asked.some(({ name }) => name === each));
  if (unknown.length > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.map((n) => `"${n}"`).join(",")}`);
  return {
    statusCode: failed ? 500 : 200,
    body: [...lines, `${endpoint} check ${failed ? "failed" : "passed"}`, ""].join("\n"),
  };
}

function lineOf({ name, trouble, note }: HealthCheck): string {
  if (trouble !== undefined) return `[-]${name} failed: ${trouble}`;
  return `[+]${name} ok${note === undefined ? "" : `, but ${note}`}`;
}
