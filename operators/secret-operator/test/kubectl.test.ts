import { resolve } from "node:path";
import type { ApiError, Created } from "@trimtab/client";
import { describe, expect } from "vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { it, patience } from "./team.ts";

const sample = resolve(import.meta.dirname, "../config/samples/multi_v1alpha1_multisecret.yaml");
const name = "multisecret-sample";

function cells(line = ""): readonly string[] {
  return line.trim().split(/\s{2,}/);
}

describe("the tutorial, by kubectl", () => {
  it("copies the sample everywhere, and leaves nothing", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("apply", `--filename=${sample}`);
    await team.kubectl("wait", "--for=condition=Ready", `multisecret/${name}`, "--timeout=20s");
    expect(team.copyKey(name, team.home).name).toBe(`multisecret-sample.${team.home}.multisec`);
    for (const namespace of [team.home, team.near, team.far]) {
      const content = { token: "sample-token", user: "sample-user", password: "sample-password" };
      expect(await team.content(name, namespace)).toEqual(content);
    }
    // kubectl has put what it applied, secret and all, into an annotation: of the MultiSecret alone.
    const copy = await team.copy(name, team.far);
    expect(JSON.stringify(copy?.metadata)).not.toContain("sample-password");
    await team.kubectl("delete", `--filename=${sample}`);
    expect(await team.holders(name)).toEqual([]);
  });

  it("shows in a line how many copies are wanted and are there, and all that counts on a wide one", async ({
    team,
  }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    const { status } = await team.ready(name);
    const [header, row] = (await team.kubectl("get", "multisecrets")).split("\n");
    expect(cells(header)).toEqual(["NAME", "WANTED", "CREATED", "CHANGETIME"]);
    expect(cells(row)).toEqual([name, "3", "3", status?.change_time]);
    const [wideHeader, wideRow] = (await team.kubectl("get", "multisecrets", "--output=wide")).split("\n");
    expect(cells(wideHeader).slice(4)).toEqual(["READY", "REASON", "TYPE", "AGE"]);
    expect(cells(wideRow).slice(4, 7)).toEqual(["True", "Synchronized", "Opaque"]);
  });

  it("tells in describe what has happened, once for all namespaces", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    await team.ready(name);
    const created = `created Secret ${name}.${team.home}.multisec in namespaces ${team.home}, ${team.far}, ${team.near}`;
    await expect
      .poll(() => team.kubectl("describe", "multisecret", name), patience)
      .toMatch(new RegExp(`Normal +Created .*${created}`));
    expect((await team.events(name)).filter((event) => event.startsWith("Created"))).toHaveLength(1);
  });

  it.for([
    ["spec.data.token", { data: { token: "no base64!" } }],
    ["spec.data", { data: { "no key": "YQ==" } }],
    ["spec.stringData", { stringData: { "..": "a" } }],
    ["spec.type", { type: "kubernetes.io/service-account-token" }],
    ["spec.type", { type: "" }],
    [
      "spec.namespaceSelector.matchExpressions[0].operator",
      { namespaceSelector: { matchExpressions: [{ key: "a", operator: "Has" }] } },
    ],
  ] as const)("names %s when it refuses a spec of %j", async ([field, spec], { team }) => {
    const written = { metadata: team.key(name), spec } as unknown as Created<MultiSecret>;
    const refused = await team.client.create(MultiSecret, written).catch((error: ApiError) => error.details);
    expect(refused).toMatchObject({ causes: expect.arrayContaining([expect.objectContaining({ field })]) });
  });

  it("may hold nothing at all", async ({ team }) => {
    await team.startOperator();
    await team.create(name, {});
    await team.ready(name);
    expect(await team.content(name, team.far)).toEqual({});
  });
});
