import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import {
  type ControlPlane,
  type OperatorProcess,
  serviceAccountKubeconfig,
  startControlPlane,
  startOperator,
} from "@trimtab/envtest";
import { expect, vi } from "vitest";
import { patience } from "./team.ts";

const execute = promisify(execFile);
const install = resolve(import.meta.dirname, "../config/default");
const main = resolve(import.meta.dirname, "../src/main.ts");

export const operatorAccount = { namespace: "secret-operator-system", name: "secret-operator-controller-manager" };

interface Caller {
  /** Somebody whom only RBAC lets do things. @default an administrator */
  readonly as?: string;
}

/** A control plane on which all of config/default is installed: its policies are about the whole of a cluster. */
export class FencedCluster {
  readonly #controlPlane: ControlPlane;
  readonly #operatorKubeconfig: string;

  private constructor(controlPlane: ControlPlane, operatorKubeconfig: string) {
    this.#controlPlane = controlPlane;
    this.#operatorKubeconfig = operatorKubeconfig;
  }

  static async start(): Promise<FencedCluster> {
    const controlPlane = await startControlPlane({ controllers: ["serviceaccount-controller"], kubelet: false });
    const { kubeconfigPath, kubectl } = controlPlane;
    await run(kubectl, [`--kubeconfig=${kubeconfigPath}`, "apply", "--server-side", "--kustomize", install]);
    const cluster = new FencedCluster(
      controlPlane,
      await serviceAccountKubeconfig({ kubeconfigPath, ...operatorAccount }),
    );
    await cluster.#fenced();
    return cluster;
  }

  stop(): Promise<void> {
    return this.#controlPlane.stop();
  }

  async startOperator(): Promise<OperatorProcess> {
    return startOperator({ main, kubeconfigPath: this.#operatorKubeconfig });
  }

  /** What kubectl prints. @throws Error of what it complains of */
  kubectl(args: readonly string[], { as, input }: Caller & { readonly input?: object } = {}): Promise<string> {
    const { kubeconfigPath, kubectl } = this.#controlPlane;
    const who = as === undefined ? [] : [`--as=${as}`];
    return run(kubectl, [`--kubeconfig=${kubeconfigPath}`, ...who, ...args], input);
  }

  /** The same, by the operator's own token. */
  kubectlOfOperator(args: readonly string[], input?: object): Promise<string> {
    return run(this.#controlPlane.kubectl, [`--kubeconfig=${this.#operatorKubeconfig}`, ...args], input);
  }

  /** What kustomize makes of an overlay of config/default. */
  async render(overlay: object): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "overlay-")));
    try {
      const kustomization = { resources: [relative(folder, install)], ...overlay };
      await writeFile(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
      return await this.kubectl(["kustomize", folder]);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  async apply(manifests: string): Promise<void> {
    const { kubeconfigPath, kubectl } = this.#controlPlane;
    await run(kubectl, [`--kubeconfig=${kubeconfigPath}`, "apply", "--server-side", "--filename=-"], manifests);
  }

  /** What running operators were refused, as `verb resource name`. */
  async refusedToOperator(): Promise<readonly string[]> {
    const events = await this.#controlPlane.auditEvents();
    const refused = events.filter(
      ({ userAgent, responseStatus }) => userAgent?.startsWith("secret-operator/") && responseStatus?.code === 403,
    );
    return refused.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource} ${objectRef?.name}`);
  }

  /** Resolves once both policies are in force: a new one is not at once. */
  async #fenced(): Promise<void> {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "probe", namespace: "default" } };
    const multiSecret = { ...secret, apiVersion: "multi.ddnw.ml/v1alpha1", kind: "MultiSecret", spec: {} };
    const create = ["create", "--dry-run=server", "--filename=-"];
    await this.kubectl(["create", "clusterrole", "probe", "--verb=create", "--resource=multisecrets.multi.ddnw.ml"]);
    await this.kubectl(["create", "clusterrolebinding", "probe", "--clusterrole=probe", "--user=probe"]);
    await vi.waitFor(async () => {
      const ofAuthor = await refusal(this.kubectl(create, { as: "probe", input: multiSecret }));
      const ofOperator = await refusal(this.kubectlOfOperator(create, secret));
      expect(ofAuthor).toContain("denied request");
      expect(ofOperator).toContain("denied request");
    }, patience);
  }
}

/** Why it was refused; what was printed if it was not. */
export function refusal(printed: Promise<string>): Promise<string> {
  return printed.catch(({ message }: Error) => message);
}

async function run(command: readonly string[], args: readonly string[], input: object | string = ""): Promise<string> {
  const [program = "", ...leading] = command;
  const running = execute(program, [...leading, ...args]);
  running.child.stdin?.end(typeof input === "string" ? input : JSON.stringify(input));
  const { stdout } = await running;
  return stdout;
}
