import { join } from "node:path";
import { badLines } from "./bad-lines.ts";
import type { Claims } from "./claims.ts";
import type { Cluster } from "./cluster.ts";
import { eventually } from "./eventually.ts";
import type { PodEnd, PodNode } from "./pod-node.ts";
import { checkPosture } from "./posture.ts";
import type { RunningPod } from "./running-pod.ts";

export interface PlayOptions {
  readonly root: string;
  readonly cluster: Cluster;
  readonly node: PodNode;
  readonly claims: Claims;
  /** The overlay of each operator that plays. */
  readonly overlays: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** Installs operators, has them converge their samples, and uninstalls them: as their READMEs tell a user. */
export async function play(options: PlayOptions): Promise<void> {
  const { cluster, claims, overlays } = options;
  const operators = [...overlays.keys()].map((name) => new InstalledOperator(name, options));
  const each = async (claim: string, proof: (operator: InstalledOperator) => Promise<unknown>): Promise<void> => {
    for (const operator of operators) await claims.hold(`${operator.name} ${claim}`, () => proof(operator));
  };
  const before = await cluster.inventory();
  await each("installs, and is ready", (operator) => operator.install());
  await each("may do what its Deployment says only", async (operator) => checkPosture(operator.pod));
  await each("ends with 0 on SIGTERM, its lease goes on", (operator) => operator.succeed());
  const installed = await cluster.inventory();
  await each("converges its sample", (operator) => operator.converge());
  await each("has its sample deleted", (operator) => operator.deleteSample());
  await claims.hold("nothing but what was installed is left", () => nothingBeyond(installed, options));
  await each("was refused nothing, and warned of nothing", async (operator) => operator.checkLog());
  await each("is uninstalled, and ends with 0", (operator) => operator.uninstall());
  await claims.hold("nothing is left", () => nothingBeyond(before, options));
}

async function nothingBeyond(known: ReadonlySet<string>, { cluster, signal }: PlayOptions): Promise<void> {
  await eventually(async () => {
    const left = [...(await cluster.inventory())].filter((name) => !known.has(name));
    return left.length === 0 ? undefined : `there is still ${left.join(", ")}`;
  }, signal);
}

class InstalledOperator {
  readonly name: string;
  readonly #options: PlayOptions;
  readonly #namespace: string;
  readonly #lines: string[] = [];

  constructor(name: string, options: PlayOptions) {
    this.name = name;
    this.#options = options;
    this.#namespace = `${name}-system`;
  }

  get pod(): RunningPod {
    const [pod, ...others] = this.#options.node.running(this.#namespace).values();
    if (pod === undefined || others.length > 0) throw new Error(`${1 + others.length} pods of ${this.name} run`);
    return pod;
  }

  async install(): Promise<void> {
    await this.#kubectl("apply", "--server-side", "--validate=strict", `--kustomize=${this.#overlay}`);
    await this.#rolledOut();
  }

  async converge(): Promise<void> {
    const made = await this.#kubectl("apply", `--kustomize=${this.#samples}`, "--output=name");
    await this.#kubectl("wait", "--for=condition=Ready", ...made.trim().split("\n"), "--timeout=40s");
  }

  /** Deletes the pod; resolves once the next one is ready, and holds the lease. */
  async succeed(): Promise<void> {
    const [name = ""] = this.#options.node.running(this.#namespace).keys();
    await this.#kubectl("delete", "pod", name, this.#inNamespace, "--timeout=40s");
    this.#checkEnd();
    await this.#rolledOut();
    const [successor = ""] = this.#options.node.running(this.#namespace).keys();
    await eventually(async () => {
      const holder = await this.#kubectl(
        "get",
        `lease/${this.name}-leader`,
        this.#inNamespace,
        "--output=jsonpath={.spec.holderIdentity}",
      );
      return holder.startsWith(successor) ? undefined : `the lease is held by "${holder}", not by ${successor}`;
    }, this.#options.signal);
  }

  async deleteSample(): Promise<void> {
    await this.#kubectl("delete", `--kustomize=${this.#samples}`, "--timeout=40s");
  }

  /** @throws {Error} if it has logged a warning or an error */
  checkLog(): void {
    const bad = badLines([...this.#lines, ...this.pod.lines]);
    if (bad.length > 0) throw new Error(bad.join("\n"));
  }

  async uninstall(): Promise<void> {
    const crd = join(this.#options.root, "operators", this.name, "config/crd");
    await this.#kubectl("delete", `--kustomize=${crd}`, "--timeout=60s");
    await this.#kubectl("delete", `--kustomize=${this.#overlay}`, "--ignore-not-found", "--timeout=60s");
    this.#checkEnd();
  }

  /** Of the pod that ended last. */
  #checkEnd(): void {
    const ends = this.#options.node.ends.filter(({ pod }) => pod.metadata.namespace === this.#namespace);
    const end: PodEnd | undefined = ends.at(-1);
    this.#lines.push(...(end?.lines ?? []));
    if (end?.exit !== 0) throw new Error(`its pod ended with ${end?.exit}: ${end?.lines.slice(-20).join("\n")}`);
  }

  async #rolledOut(): Promise<void> {
    const deployment = `deployment/${this.name}-controller-manager`;
    await this.#kubectl("rollout", "status", deployment, this.#inNamespace, "--timeout=60s");
  }

  get #inNamespace(): string {
    return `--namespace=${this.#namespace}`;
  }

  get #overlay(): string {
    return this.#options.overlays.get(this.name) ?? "";
  }

  get #samples(): string {
    return join(this.#options.root, "operators", this.name, "config/samples");
  }

  async #kubectl(...args: readonly string[]): Promise<string> {
    const { cluster, node } = this.#options;
    try {
      return await cluster.kubectl(...args);
    } catch (error) {
      // Why a pod is not there, the node knows.
      throw new Error([error instanceof Error ? error.message : error, ...node.failures].join("\n"), { cause: error });
    }
  }
}
