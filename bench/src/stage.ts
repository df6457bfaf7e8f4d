import { readFile } from "node:fs/promises";
import { type ControlPlane, startControlPlane } from "@trimtab/envtest";
import { parse } from "yaml";
import { BareClient } from "./bare-client.ts";
import { createAll } from "./measure-floor.ts";
import type { Scenario } from "./scenario.ts";

const connections = 8;

/** A fresh API server with a scenario's CRD and namespaces, and no controllers but the one to be measured. */
export async function onStage<T>(
  scenario: Scenario,
  act: (controlPlane: ControlPlane, client: BareClient) => Promise<T>,
): Promise<T> {
  const controlPlane = await startControlPlane({ controllers: [], kubelet: false });
  const client = new BareClient(controlPlane.kubeConfig, connections, "bench");
  try {
    const crd = parse(await readFile(scenario.crd, "utf8")) as { metadata: { name: string } };
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await client.call("POST", path, crd);
    await established(client, `${path}/${crd.metadata.name}`, scenario.ownersPath);
    await createAll(client, scenario.surroundings);
    return await act(controlPlane, client);
  } finally {
    client.close();
    await controlPlane.stop();
  }
}

async function established(client: BareClient, crdPath: string, collection: string): Promise<void> {
  for (;;) {
    const { status } = await client.call<{ status?: { conditions?: { type: string; status: string }[] } }>(
      "GET",
      crdPath,
    );
    const isEstablished = status?.conditions?.some((c) => c.type === "Established" && c.status === "True") ?? false;
    if (
      isEstablished &&
      (await client.call("GET", collection).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}
