import { type Client, createClient, loadConnection } from "@trimtab/client";
import { type ControlPlane, startControlPlane } from "@trimtab/envtest";
import { type CommandOptions, run } from "@trimtab/image";

/** A control plane, and kubectl for it. */
export class Cluster {
  readonly client: Client;
  readonly #controlPlane: ControlPlane;
  readonly #options: CommandOptions;

  private constructor(controlPlane: ControlPlane, client: Client, options: CommandOptions) {
    this.#controlPlane = controlPlane;
    this.client = client;
    this.#options = options;
  }

  static async start(options: CommandOptions & { readonly home: string }): Promise<Cluster> {
    const { env, home, signal } = options;
    const controlPlane = await startControlPlane({ env, ...(signal && { signal }) });
    const connection = await loadConnection({ kubeconfig: controlPlane.kubeconfigPath, env: {} });
    const client = createClient({ connection, userAgent: schedulerAgent, fieldManager: schedulerAgent });
    const shell = { ...env, HOME: home, KUBECONFIG: controlPlane.kubeconfigPath };
    return new Cluster(controlPlane, client, { ...options, env: shell });
  }

  /** Where the API server listens. */
  get apiServer(): { readonly host: string; readonly port: number } {
    const { hostname, port } = new URL(this.#controlPlane.kubeConfig.getCurrentCluster()?.server ?? "");
    return { host: hostname, port: Number(port) };
  }

  get rootCertificate(): string {
    return Buffer.from(this.#controlPlane.kubeConfig.getCurrentCluster()?.caData ?? "", "base64").toString();
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return run([...this.#controlPlane.kubectl, ...args], this.#options);
  }

  /** All that there is, of whatever kind, as `kind/namespace/name`; but Events, which go by themselves. */
  async inventory(): Promise<ReadonlySet<string>> {
    const kinds = (await this.kubectl("api-resources", "--verbs=list", "--output=name")).trim().split("\n");
    const lasting = kinds.filter((kind) => !kind.startsWith("events")).join(",");
    const template = "{range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name}{'\\n'}{end}";
    const all = await this.kubectl("get", lasting, "--all-namespaces", `--output=jsonpath=${template}`);
    return new Set(all.trim().split("\n"));
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.#controlPlane.stop();
  }
}

const schedulerAgent = "trimtab-e2e";
