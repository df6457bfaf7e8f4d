import { execFileSync } from "node:child_process";
import { keyOf, Namespace, type ObjectOf } from "@trimtab/apimachinery";
import { type AnsweredRequest, type Client, createClient, isApiError, loadConnection } from "@trimtab/client";
import { conditions, customResource, customResourceDefinition, k } from "@trimtab/crd";
import type {} from "@trimtab/envtest/vitest";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type ConditionReport, readyWhen, reportStatus } from "../src/index.ts";

const Gauge = customResource({
  group: "status.example.com",
  version: "v1",
  kind: "Gauge",
  spec: k.object({ size: k.int32() }),
  status: k.object({
    nodes: k.list(k.string()),
    observedGeneration: k.int64().optional(),
    conditions: conditions("Ready", "Available"),
  }),
});
type Gauge = ObjectOf<typeof Gauge>;

let client: Client;
let namespace: string;
let gauge: Gauge;
const requests: AnsweredRequest[] = [];

function kubectl(args: readonly string[], input = ""): string {
  const [program = "", ...leading] = inject("kubectl");
  return execFileSync(program, [...leading, `--kubeconfig=${inject("kubeconfigPath")}`, ...args], {
    encoding: "utf8",
    input,
  });
}

beforeAll(async () => {
  const connection = await loadConnection({ kubeconfig: inject("kubeconfigPath"), env: {} });
  const onRequest = (request: AnsweredRequest) => requests.push(request);
  client = createClient({ connection, userAgent: "test", fieldManager: "test", onRequest });
  kubectl(["apply", "-f=-"], JSON.stringify(customResourceDefinition(Gauge)));
  kubectl(["wait", "--for=condition=Established", "crd/gauges.status.example.com"]);
  namespace = (await client.create(Namespace, { metadata: { generateName: "status-" } })).metadata.name;
});
afterAll(() => client.close());

beforeEach(async () => {
  gauge = await client.create(Gauge, { metadata: { namespace, generateName: "gauge-" }, spec: { size: 1 } });
  requests.length = 0;
});

const available: ConditionReport<"Available"> = {
  type: "Available",
  status: "True",
  reason: "AllThere",
  message: "1 of 1",
};

function report(object: Gauge, condition = available): Promise<Gauge> {
  return reportStatus({ client }, Gauge, object, {
    nodes: ["n"],
    conditions: [condition, readyWhen(condition)],
  });
}

describe("reportStatus on a cluster", () => {
  it("writes once, and not again while nothing differs", async () => {
    const written = await report(gauge);
    expect(requests).toHaveLength(1);
    expect(await report(written)).toBe(written);
    expect(await report(await client.get(Gauge, keyOf(gauge)))).toMatchObject({ status: written.status });
    expect(requests.map(({ method }) => method)).toEqual(["PUT", "GET"]);
  });

  it("says of the status which generation it is about, and not of one that came since", async () => {
    await client.mergePatch(Gauge, keyOf(gauge), { spec: { size: 2 } });
    const error = await report(gauge).catch((thrown: unknown) => thrown);
    expect(isApiError(error, "Conflict")).toBe(true);

    const { status } = await report(await client.get(Gauge, keyOf(gauge)));
    expect(status?.observedGeneration).toBe(2);
    expect(status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2]);
  });

  it("is what kubectl wait goes by", async () => {
    await report(gauge);
    const name = gauge.metadata.name;
    const answer = kubectl(["wait", `-n=${namespace}`, "--for=condition=Ready", `gauge/${name}`, "--timeout=5s"]);
    expect(answer).toContain("condition met");
  });
});
