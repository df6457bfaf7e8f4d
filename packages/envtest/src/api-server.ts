import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ApiAccess, apiRequest } from "./api-request.ts";
import { auditPolicy } from "./audit-log.ts";
import { freePort } from "./free-port.ts";
import type { KeptProcess, ProcessKeeper } from "./process-keeper.ts";
import { whileRunning } from "./while-running.ts";

export interface ApiServerOptions {
  readonly keeper: ProcessKeeper;
  readonly program: string;
  /** Where etcd listens, as a URL. */
  readonly etcd: string;
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly featureGates: Readonly<Record<string, boolean>>;
}

const portAttempts = 5;
/** A request that does not end keeps a stopping API server alive for a minute; tests have no use for that. */
const stopGraceMs = 5_000;

/** A kube-apiserver, which may be stopped and started on the same port and data. */
export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #token: string;
  #port = 0;
  #ca = "";
  #process: KeptProcess | undefined;

  private constructor(options: ApiServerOptions, token: string) {
    this.#options = options;
    this.#token = token;
  }

  /** Writes down what an API server reads at its start; starts none. */
  static async prepare(options: ApiServerOptions): Promise<ApiServer> {
    const { directory } = options.keeper;
    const token = randomBytes(24).toString("hex");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const secret = { mode: 0o600 };
    await Promise.all([
      writeFile(join(directory, "tokens.csv"), `${token},admin,admin,system:masters\n`, secret),
      writeFile(join(directory, "service-accounts.key"), privateKey.export({ type: "sec1", format: "pem" }), secret),
      writeFile(join(directory, "audit-policy.yaml"), auditPolicy),
    ]);
    return new ApiServer(options, token);
  }

  get access(): ApiAccess {
    return { server: `https://127.0.0.1:${this.#port}`, ca: this.#ca, token: this.#token };
  }

  /** Resolves once it answers requests; it may not be `whenReady` yet. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#process !== undefined) return;
    const movable = this.#port === 0;
    for (let attempt = 1; ; attempt++) {
      if (movable) this.#port = await freePort();
      const process = await this.#options.keeper.run("kube-apiserver", this.#command());
      this.#process = process;
      try {
        await this.#until(() => true, signal);
        return;
      } catch (error) {
        this.#process = undefined;
        process.kill("SIGKILL");
        const taken = (await process.logTail()).includes("address already in use");
        if (!movable || !taken || attempt === portAttempts) throw error;
      }
    }
  }

  /** Resolves once it says so itself at `/readyz`. */
  async whenReady(signal?: AbortSignal): Promise<void> {
    await this.#until((code) => code === 200, signal);
  }

  async stop(): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    this.#process = undefined;
    process.kill("SIGCONT");
    process.kill("SIGTERM");
    const impatience = setTimeout(() => process.kill("SIGKILL"), stopGraceMs);
    await process.exited;
    clearTimeout(impatience);
  }

  pause(): void {
    this.#process?.kill("SIGSTOP");
  }

  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  async #until(isEnough: (code: number) => boolean, signal?: AbortSignal): Promise<void> {
    if (this.#process === undefined) throw new Error("kube-apiserver does not run");
    const hasAnswered = async (): Promise<boolean> => {
      const code = await this.#ask(signal);
      return code !== undefined && isEnough(code);
    };
    await whileRunning(this.#process, hasAnswered, signal);
  }

  /** The status code of `/readyz`; `undefined` while nobody answers. */
  async #ask(signal?: AbortSignal): Promise<number | undefined> {
    try {
      // The API server makes itself a certificate as its first act.
      this.#ca ||= await readFile(join(this.#options.keeper.directory, "certificates", "apiserver.crt"), "utf8");
      return (await apiRequest(this.access, { path: "/readyz", signal })).code;
    } catch {
      return undefined;
    }
  }

  #command(): readonly string[] {
    const { program, etcd, enableAdmissionPlugins, disableAdmissionPlugins, featureGates } = this.#options;
    const gates = Object.entries(featureGates).map(([gate, isOn]) => `${gate}=${isOn}`);
    return [
      program,
      `--etcd-servers=${etcd}`,
      // History stays, for whoever wants to read it.
      "--etcd-compaction-interval=0",
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      `--secure-port=${this.#port}`,
      "--cert-dir=certificates",
      "--authorization-mode=RBAC",
      "--token-auth-file=tokens.csv",
      "--service-account-issuer=https://kubernetes.default.svc",
      "--service-account-key-file=service-accounts.key",
      "--service-account-signing-key-file=service-accounts.key",
      "--service-cluster-ip-range=10.0.0.0/24",
      "--endpoint-reconciler-type=none",
      "--allow-privileged=true",
      // Watches are told to end, rather than awaited for a minute.
      "--shutdown-watch-termination-grace-period=1s",
      "--audit-policy-file=audit-policy.yaml",
      "--audit-log-path=audit.log",
      "--audit-log-maxsize=0",
      ...(enableAdmissionPlugins.length > 0 ? [`--enable-admission-plugins=${enableAdmissionPlugins.join(",")}`] : []),
      ...(disableAdmissionPlugins.length > 0
        ? [`--disable-admission-plugins=${disableAdmissionPlugins.join(",")}`]
        : []),
      ...(gates.length > 0 ? [`--feature-gates=${gates.join(",")}`] : []),
    ];
  }
}
