import { describe, expect, it } from "vitest";
import { useCluster } from "./cluster.ts";
import { type OperatorName, operators } from "./operators.ts";
import { commandsOf } from "./readme.ts";

const cluster = useCluster();
/** A namespace takes its time to go: 6 s on an idle machine. */
const unhurried = { timeout: 180_000 };
const patience = { timeout: 60_000, interval: 1_000 };

/** Types what the README says to, and between install and sample runs the operator, as no kubelet does here. */
async function install(operator: OperatorName): Promise<void> {
  const lines = commandsOf(operator, "Install").split("\n");
  const samples = lines.findIndex((line) => line.includes("config/samples"));
  await cluster().shell(lines.slice(0, samples).join("\n"));
  await cluster().startOperator(operator);
  await cluster().shell(lines.slice(samples).join("\n"));
}

describe.for(operators)("the README of %s", unhurried, (operator) => {
  it("installs it, converges its sample, uninstalls it with that, and leaves nothing", async () => {
    const before = await cluster().inventory();
    await install(operator);
    await cluster().shell(commandsOf(operator, "Uninstall"));
    await expect.poll(() => cluster().inventory(), patience).toEqual(before);
    await cluster().stopOperators();
  });
});
