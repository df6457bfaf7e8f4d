import { describe, expect, it } from "vitest";
import { useCluster } from "./cluster.ts";
import { operators, pathOf } from "./operators.ts";

const cluster = useCluster();
const patience = { timeout: 40_000, interval: 200 };

/** `kubectl delete -k`: waits for what it deletes, though not for ever. */
function remove(folder: string, ...flags: readonly string[]): Promise<string> {
  return cluster().kubectl("delete", `--kustomize=${folder}`, "--timeout=40s", ...flags);
}

describe.for(operators)("%s, uninstalled", (operator) => {
  const folder = (name: string) => pathOf(operator, "config", name);

  it("leaves nothing", async () => {
    const before = await cluster().inventory();
    await cluster().install(operator);
    await remove(folder("default"));
    await expect.poll(() => cluster().inventory(), patience).toEqual(before);
  });

  it("CRD first, takes its resources with it, and what was made for them", async () => {
    const before = await cluster().inventory();
    await cluster().install(operator);
    await cluster().startOperator(operator);
    await cluster().converge(operator);
    await remove(folder("crd"));
    await remove(folder("default"), "--ignore-not-found");
    await expect.poll(() => cluster().inventory(), patience).toEqual(before);
    await cluster().stopOperator();
  });
});

describe.for(["memcached-operator", "podset-operator"] as const)("%s, uninstalled all at once", (operator) => {
  const folder = (name: string) => pathOf(operator, "config", name);

  it("takes its resources with it, and what was made for them", async () => {
    const before = await cluster().inventory();
    await cluster().install(operator);
    await cluster().startOperator(operator);
    await cluster().converge(operator);
    await remove(folder("default"));
    await expect.poll(() => cluster().inventory(), patience).toEqual(before);
    await cluster().stopOperator();
  });
});
