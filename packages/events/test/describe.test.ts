import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ConfigMap, Event } from "@trimtab/apimachinery";
import { type Client, createClient, loadConnection } from "@trimtab/client";
import { testNamespace } from "@trimtab/envtest/vitest";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createEventRecorder } from "../src/index.ts";

const run = promisify(execFile);

describe("events on an API server", () => {
  let client: Client;
  let namespace: string;
  beforeAll(async () => {
    namespace = await testNamespace("events");
    const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
    client = createClient({ connection, userAgent: "events-test", fieldManager: "events-test" });
  });
  afterAll(() => client.close());

  const flushed = AbortSignal.timeout(10_000);

  it("are shown by kubectl describe, with how often and who says so", async () => {
    const object = await client.create(ConfigMap, { metadata: { name: "described", namespace } });
    const errors: Error[] = [];
    const onError = (error: Error): void => void errors.push(error);
    const events = createEventRecorder({ client, controller: "toy-operator", instance: "pod-1", onError });
    const recorder = events.recorderFor(object);
    for (let index = 0; index < 3; index += 1) recorder.normal("Created", "created it");
    await events.flush(flushed);
    recorder.normal("Created", "created it");
    recorder.warning("Broken", "ü".repeat(2_000));
    await events.flush(flushed);
    expect(errors).toEqual([]);

    const { items } = await client.list(Event, { namespace });
    expect(items.filter(({ reason }) => reason === "Created").map(({ series }) => series?.count)).toEqual([4]);
    const [kubectl = "", ...args] = inject("kubectl");
    const where = [`--kubeconfig=${inject("kubeconfigPath")}`, `--namespace=${namespace}`];
    const { stdout } = await run(kubectl, [...args, ...where, "describe", "configmap", "described"]);
    expect(stdout).toMatch(/Normal +Created +\S+ \(x4 over \S+\) +toy-operator +created it\n/);
    expect(stdout).toMatch(/Warning +Broken +\S+ +toy-operator +ü+…\n/);
  });
});
