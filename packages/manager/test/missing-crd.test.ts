import { CustomResourceDefinition } from "@trimtab/apimachinery";
import { ignoreNotFound } from "@trimtab/client";
import { afterEach, describe, expect } from "vitest";
import { it, Playground, patience } from "./toy.ts";
import { Greeting } from "./toy-operator/src/greeting.ts";

const name = "greetings.toy.trimtab.example";
const names = { kind: "Greeting", plural: "greetings", singular: "greeting" };
const openAPIV3Schema = {
  type: "object",
  properties: { spec: { type: "object", properties: { to: { type: "string" } } } },
} as const;

async function install({ client }: Playground): Promise<void> {
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }];
  await client.create(CustomResourceDefinition, {
    metadata: { name },
    spec: { group: Greeting.group, names, scope: "Namespaced", versions },
  });
}

async function uninstall({ client }: Playground): Promise<void> {
  await ignoreNotFound(client.delete(CustomResourceDefinition, { name }));
  await expect.poll(() => ignoreNotFound(client.get(CustomResourceDefinition, { name })), patience).toBeUndefined();
}

describe("an operator whose CRD is missing", () => {
  afterEach(async () => {
    const playground = await Playground.open();
    await uninstall(playground);
    await playground.close();
  });

  it("stays up and unready, says how to install it, and goes on by itself once it is there", async ({ playground }) => {
    const toy = await playground.start({ awaitReady: false, env: { TOY_GREETS: "1" } });
    const trouble =
      `the API server does not serve ${name} in version v1: install the CustomResourceDefinition ${name}, ` +
      "by kubectl apply --server-side -f config/crd/bases/toy.trimtab.example_greetings.yaml";
    const line = await toy.said(/does not serve/);
    expect(line).toMatchObject({ level: "error", msg: trouble });
    const { status, body } = await toy.probe("/readyz");
    expect(status).toBe(500);
    expect(body).toContain(`[-]cache:${name}@${playground.namespace} failed: ${trouble}`);
    expect((await toy.probe("/healthz")).status).toBe(200);
    // The controller that does not need it works.
    await playground.ask("one");
    await playground.copied("one");

    await install(playground);
    await toy.process.whenReady();
    await playground.client.create(Greeting, {
      metadata: { name: "it", namespace: playground.namespace },
      spec: { to: "world" },
    });
    await toy.said(/^hello, world$/);
  });

  it("survives that it is taken away, and put back", async ({ playground }) => {
    await install(playground);
    const toy = await playground.start({ env: { TOY_GREETS: "1" } });
    await uninstall(playground);
    await toy.said(/does not serve/, 60_000);
    await install(playground);
    await expect.poll(async () => (await toy.probe("/readyz")).status, patience).toBe(200);
    await playground.client.create(Greeting, {
      metadata: { name: "it", namespace: playground.namespace },
      spec: { to: "you" },
    });
    await toy.said(/^hello, you$/);
  });
});
