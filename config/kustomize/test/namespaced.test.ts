import { describe, expect, it } from "vitest";
import { useCluster } from "./cluster.ts";
import { operators, pathOf } from "./operators.ts";

const cluster = useCluster();

describe.for(operators)("%s, installed by config/namespaced", (operator) => {
  const folder = pathOf(operator, "config/namespaced");
  const account = `system:serviceaccount:${operator}-system:${operator}-controller-manager`;

  /** What the operator's account may do in a namespace, as kubectl lists it. */
  const rights = (namespace: string) =>
    cluster().kubectl("auth", "can-i", "--list", "--no-headers", `--as=${account}`, `--namespace=${namespace}`);

  it("converges its sample, and may do in other namespaces what everybody may, and no more", async () => {
    await cluster().install(operator, folder);
    await cluster().startOperator(operator, "--namespaces=default");
    await cluster().converge(operator);
    expect(await rights("default")).toContain("events.events.k8s.io");
    for (const resource of ["secrets", "pods", "deployments", "events", "memcacheds", "podsets", "multisecrets"])
      expect(await rights("kube-public")).not.toContain(resource);
    await cluster().stopOperators();
  });
});
