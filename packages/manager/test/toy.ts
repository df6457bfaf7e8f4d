import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { ConfigMap, type KubeObject, Namespace, type ResourceType, Secret } from "@trimtab/apimachinery";
import { type Client, createClient, ignoreNotFound, loadConnection } from "@trimtab/client";
import { type OperatorProcess, type OperatorProcessOptions, startOperator } from "@trimtab/envtest";
import type {} from "@trimtab/envtest/vitest";
import { test as base, expect, inject, type TestAPI } from "vitest";

const run = promisify(execFile);
export const main: string = resolve(import.meta.dirname, "toy-operator/src/main.ts");
/** For `expect.poll`. */
export const patience: { readonly timeout: number; readonly interval: number } = { timeout: 20_000, interval: 50 };

/** A line of the operator's log. */
export interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface StartOptions extends Omit<Partial<OperatorProcessOptions>, "main"> {
  /** Whether the operator is told by a flag to look after nothing but the playground. @default true */
  readonly confined?: boolean;
}

/** A toy operator that runs as a process, and what it says. */
export class Toy {
  readonly process: OperatorProcess;

  constructor(process: OperatorProcess) {
    this.process = process;
  }

  async log(): Promise<readonly LogLine[]> {
    return (await this.process.log()).map((line) => JSON.parse(line) as LogLine);
  }

  /** The first line of the log that says this, waited for. */
  async said(text: RegExp, timeout = 15_000): Promise<LogLine> {
    const find = async () => (await this.log()).find(({ msg }) => msg.search(text) !== -1);
    await expect.poll(find, { timeout, interval: 20 }).toBeDefined();
    return (await find()) as LogLine;
  }

  async probe(path: string): Promise<{ readonly status: number; readonly body: string }> {
    const response = await fetch(`${this.process.healthUrl}${path}`);
    return { status: response.status, body: await response.text() };
  }
}

/** A namespace of a test's own, and the processes that it starts. */
export class Playground {
  readonly namespace: string = `toy-${randomUUID().slice(0, 8)}`;
  readonly kubeconfigPath: string;
  readonly client: Client;
  readonly #toys: Toy[] = [];

  private constructor(client: Client, kubeconfigPath: string) {
    this.client = client;
    this.kubeconfigPath = kubeconfigPath;
  }

  static async open(kubeconfigPath: string = inject("kubeconfigPath")): Promise<Playground> {
    const connection = await loadConnection({ kubeconfig: kubeconfigPath, env: {} });
    const client = createClient({ connection, userAgent: "toy-test", fieldManager: "toy-test" });
    const playground = new Playground(client, kubeconfigPath);
    await client.create(Namespace, { metadata: { name: playground.namespace } });
    return playground;
  }

  async close(): Promise<void> {
    await Promise.all(this.#toys.map(({ process }) => process.kill()));
    await ignoreNotFound(this.client.delete(Namespace, { name: this.namespace })).catch(() => {});
    this.client.close();
  }

  async start({ flags = [], confined = true, ...options }: StartOptions = {}): Promise<Toy> {
    const process = await startOperator({
      main,
      kubeconfigPath: this.kubeconfigPath,
      flags: confined ? [`--namespaces=${this.namespace}`, ...flags] : flags,
      ...options,
    });
    const toy = new Toy(process);
    this.#toys.push(toy);
    return toy;
  }

  async ask(name: string, trick = "copy"): Promise<ConfigMap> {
    const metadata = { name, namespace: this.namespace, labels: { toy: "yes" } };
    return this.client.create(ConfigMap, { metadata, data: { do: trick } });
  }

  /** Resolves once the copy of this ConfigMap is there. */
  async copied(name: string, timeout = 15_000): Promise<void> {
    await expect.poll(() => this.has(Secret, name), { timeout, interval: 20 }).toBe(true);
  }

  async has(type: ResourceType, name: string): Promise<boolean> {
    const key = type.scope === "Cluster" ? { name } : { namespace: this.namespace, name };
    return (await ignoreNotFound<KubeObject>(this.client.get(type, key))) !== undefined;
  }

  /** What kubectl prints, for this namespace. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const [program = "", ...leading] = inject("kubectl");
    const where = [`--kubeconfig=${this.kubeconfigPath}`, `--namespace=${this.namespace}`];
    const { stdout } = await run(program, [...leading, ...where, ...args]);
    return stdout;
  }
}

export const it: TestAPI<{ playground: Playground }> = base.extend<{ playground: Playground }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs off this pattern
  playground: async ({}, use) => {
    const playground = await Playground.open();
    await use(playground);
    await playground.close();
  },
});
