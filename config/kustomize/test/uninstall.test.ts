import { describe, expect, it } from "vitest";
import { useCluster } from "./cluster.ts";
import { operators, pathOf } from "./operators.ts";
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

describe("secret-operator, deleted together with its CRD while there are MultiSecrets", unhurried, () => {
  const operator = "secret-operator";
  const uninstall = ["delete", `--kustomize=${pathOf(operator, "config/default")}`, "--ignore-not-found"];
  const crd = `--filename=${pathOf(operator, "config/crd/bases")}`;

  it("stays, without keeping kubectl waiting, until it has removed the copies; asked again, it goes", async () => {
    const before = await cluster().inventory();
    await cluster().install(operator);
    await cluster().startOperator(operator);
    await cluster().converge(operator);

    const refusal =
      /clusterroles.* "secret-operator-manager-role" is forbidden.*delete the CRD, wait for that by kubectl wait/;
    await expect(cluster().kubectl(...uninstall, "--timeout=1s")).rejects.toThrow(refusal);
    await cluster().kubectl("wait", "--for=delete", crd, "--timeout=40s");
    await cluster().kubectl(...uninstall);
    await expect.poll(() => cluster().inventory(), patience).toEqual(before);
    await cluster().stopOperators();
  });
});
