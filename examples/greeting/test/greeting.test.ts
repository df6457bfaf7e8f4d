import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { startOperator } from "@trimtab/envtest";
import type {} from "@trimtab/envtest/vitest";
import { describe, expect, inject, it, onTestFinished } from "vitest";

const folder = resolve(import.meta.dirname, "..");

describe("the operator of the README", () => {
  it("writes the ConfigMap that a Greeting asks for, and puts it back when somebody edits it", async () => {
    const kubeconfigPath = inject("kubeconfigPath");
    const namespace = "greeting";
    const kubectl = (...args: readonly string[]): string => {
      const [program = "", ...leading] = inject("kubectl");
      const flags = [`--kubeconfig=${kubeconfigPath}`, `--namespace=${namespace}`];
      return execFileSync(program, [...leading, ...flags, ...args], { encoding: "utf8" });
    };
    kubectl("create", "namespace", namespace);
    kubectl("apply", "--server-side", "-f", `${folder}/config/crd/bases`);
    kubectl("wait", "--for=condition=Established", "crd/greetings.example.com");
    const operator = await startOperator({
      main: `${folder}/src/main.ts`,
      kubeconfigPath,
      flags: [`--namespaces=${namespace}`],
    });
    onTestFinished(async () => {
      await operator.stop();
    });

    kubectl("apply", "-f", `${folder}/config/samples/greeting.yaml`);
    kubectl("wait", "--for=condition=Ready", "greeting/world");
    const said = (): string => kubectl("get", "configmap", "world", "-o", "jsonpath={.data.greeting}");
    expect(said()).toBe("Hello, world!\nHello, world!\n");

    kubectl("patch", "configmap", "world", '-p={"data":{"greeting":"Go away!"}}');
    await expect.poll(said, { timeout: 10_000 }).toBe("Hello, world!\nHello, world!\n");
  });
});
