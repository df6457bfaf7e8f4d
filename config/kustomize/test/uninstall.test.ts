import { describe, expect, it } from "vitest";
import { useCluster } from "./cluster.ts";
import { operators, pathOf, sampleOf } from "./operators.ts";
import { commandsOf } from "./readme.ts";

const cluster = useCluster();
/** A namespace takes its time to go: 6 s on an idle machine. */
const unhurried = { timeout: 180_000 };
const patience = { timeout: 60_000, interval: 1_000 };

describe("the three, side by side", unhurried, () => {
  it("converge their samples, and uninstalled, with those, leave nothing", async () => {
    const before = await cluster().inventory();
    await Promise.all(operators.map((operator) => cluster().install(operator)));
    await Promise.all(operators.map((operator) => cluster().startOperator(operator)));
    await Promise.all(operators.map((operator) => cluster().converge(operator)));
    await Promise.all(operators.map((operator) => cluster().shell(commandsOf(operator, "Uninstall"))));
    await expect.poll(() => cluster().inventory(), patience).toEqual(before);
    await cluster().stopOperators();
  });
});

describe("secret-operator, uninstalled before its CRD", unhurried, () => {
  const operator = "secret-operator";
  const folder = pathOf(operator, "config/default");
  const copies = ["secrets", "--all-namespaces", "--selector=app.kubernetes.io/managed-by=secret-operator"];

  it("keeps MultiSecrets and copies until it is there again, then removes them", async () => {
    const before = await cluster().inventory();
    await cluster().install(operator);
    await cluster().startOperator(operator);
    await cluster().converge(operator);
    await cluster().stopOperators();
    const removed = cluster().kubectl("delete", `--kustomize=${folder}`, "--timeout=8s");
    await expect(removed).rejects.toThrow("timed out waiting for the condition");
    expect(await cluster().kubectl("get", sampleOf[operator], "--output=name")).toContain("multisecret-sample");
    expect(await cluster().kubectl("get", ...copies, "--output=name")).toContain("multisecret-sample.default.multisec");

    await cluster().install(operator);
    await cluster().startOperator(operator);
    await expect.poll(() => cluster().kubectl("get", ...copies, "--output=name"), patience).toBe("");
    await cluster().kubectl(
      "wait",
      "--for=delete",
      `--filename=${pathOf(operator, "config/crd/bases")}`,
      "--timeout=20s",
    );
    await cluster().shell(commandsOf(operator, "Uninstall").split("\n").at(-1) ?? "");
    await expect.poll(() => cluster().inventory(), patience).toEqual(before);
    await cluster().stopOperators();
  });
});
