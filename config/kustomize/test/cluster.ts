import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import {
  type ControlPlane,
  type OperatorProcess,
  serviceAccountKubeconfig,
  startControlPlane,
  startOperator,
} from "@trimtab/envtest";
import { afterAll, beforeAll } from "vitest";
import { type OperatorName, pathOf, root, sampleOf } from "./operators.ts";

const execute = promisify(execFile);

/** A control plane of a file's own: what comes and goes here, CRDs and all, other tests stand on. */
export class Cluster {
  readonly #controlPlane: ControlPlane;
  readonly #operators: OperatorProcess[] = [];

  private constructor(controlPlane: ControlPlane) {
    this.#controlPlane = controlPlane;
  }

  static async start(): Promise<Cluster> {
    return new Cluster(await startControlPlane());
  }

  async stop(): Promise<void> {
    await this.stopOperators();
    await this.#controlPlane.stop();
  }

  /** What kubectl prints. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const { kubectl, kubeconfigPath } = this.#controlPlane;
    const [program = "", ...leading] = [...kubectl, `--kubeconfig=${kubeconfigPath}`];
    const { stdout } = await execute(program, [...leading, ...args], { maxBuffer: 16 << 20 });
    return stdout;
  }

  /** Runs what a person types, at the root of the repository. */
  async shell(script: string): Promise<void> {
    const { kubectl, kubeconfigPath } = this.#controlPlane;
    const HOME = dirname(kubeconfigPath);
    const env = { HOME, PATH: `${kubectl.map(dirname)}:/usr/bin:/bin`, KUBECONFIG: kubeconfigPath };
    await execute("sh", ["-e", "-c", script], { cwd: root, env });
  }

  async get<T>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await this.kubectl("get", "--output=json", ...args)) as T;
  }

  /** As `kubectl kustomize <folder> | kubectl apply --server-side -f -`, with unknown fields refused. */
  apply(folder: string): Promise<string> {
    return this.kubectl("apply", "--server-side", "--validate=strict", `--kustomize=${folder}`);
  }

  /** Installs an operator; resolves once its kinds are served, and its Deployment has what it asks for. */
  async install(operator: OperatorName, folder = pathOf(operator, "config/default")): Promise<void> {
    await this.apply(folder);
    await this.kubectl("wait", "--for=condition=Established", `--filename=${pathOf(operator, "config/crd/bases")}`);
    const deployment = `deployment/${operator}-controller-manager`;
    await this.kubectl("rollout", "status", deployment, `--namespace=${operator}-system`, "--timeout=40s");
  }

  /** Makes an operator's samples; resolves once they are what they ask for. */
  async converge(operator: OperatorName): Promise<void> {
    await this.apply(pathOf(operator, "config/samples"));
    await this.kubectl("wait", "--for=condition=Ready", sampleOf[operator], "--timeout=40s");
  }

  /** Runs an installed operator, which no kubelet here does: under its own account, with the Deployment's election. */
  async startOperator(operator: OperatorName, ...more: readonly string[]): Promise<void> {
    const namespace = `${operator}-system`;
    const kubeconfigPath = await serviceAccountKubeconfig({
      kubeconfigPath: this.#controlPlane.kubeconfigPath,
      namespace,
      name: `${operator}-controller-manager`,
    });
    const flags = ["--leader-elect", `--leader-election-namespace=${namespace}`, ...more];
    this.#operators.push(await startOperator({ main: pathOf(operator, "src/main.ts"), kubeconfigPath, flags }));
  }

  async stopOperators(): Promise<void> {
    await Promise.all(this.#operators.splice(0).map((operator) => operator.kill()));
  }

  /** All that there is, of whatever kind, as `kind/name` with its namespace; but Events, which go by themselves. */
  async inventory(): Promise<readonly string[]> {
    const kinds = (await this.kubectl("api-resources", "--verbs=list", "--output=name")).trim().split("\n");
    const lasting = kinds.filter((kind) => !kind.startsWith("events")).join(",");
    const template = "{range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name}{'\\n'}{end}";
    const all = await this.kubectl("get", lasting, "--all-namespaces", `--output=jsonpath=${template}`);
    return all.trim().split("\n").toSorted();
  }
}

/** A cluster for all tests of a file. */
export function useCluster(): () => Cluster {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.start();
  });
  afterAll(() => cluster.stop());
  return () => cluster;
}
