import { resolve } from "node:path";
import type { ApiError, Created } from "@trimtab/client";
import { describe, expect } from "vitest";
import { Memcached } from "../src/api/v1alpha1/memcached.ts";
import { it, patience } from "./team.ts";

const sample = resolve(import.meta.dirname, "../config/samples/cache_v1alpha1_memcached.yaml");
const name = "memcached-sample";

function cells(line = ""): readonly string[] {
  return line.trim().split(/\s{2,}/);
}

describe("the tutorial, by kubectl", () => {
  it("makes the sample's Pods, follows its size, and leaves nothing", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    await team.kubectl("wait", "--for=condition=Ready", `memcached/${name}`, "--timeout=40s");
    const { status } = await team.memcached(name);
    expect((await team.pods()).map(({ metadata }) => metadata.name).sort()).toEqual(status?.nodes);

    await team.kubectl(
      "patch",
      "memcached",
      name,
      "--type=json",
      '-p=[{"op":"replace","path":"/spec/size","value":5}]',
    );
    expect((await team.ready(name)).status?.nodes).toHaveLength(5);

    await team.kubectl("delete", "memcached", name);
    await expect.poll(() => team.kubectl("get", "deployments,replicasets,pods", "--output=name"), patience).toBe("");
  });

  it("scales, up and down and to nothing", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    for (const replicas of [3, 1, 0]) {
      await team.kubectl("scale", `memcached/${name}`, `--replicas=${replicas}`);
      expect((await team.ready(name)).status?.nodes).toHaveLength(replicas);
    }
  });

  it("shows what counts in a line, and all of it on a wide one", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    const { status } = await team.ready(name);
    const [header, row] = (await team.kubectl("get", "mc")).split("\n");
    expect(cells(header)).toEqual(["NAME", "DESIRED", "CURRENT", "READY", "AGE"]);
    expect(cells(row).slice(0, 4)).toEqual([name, "2", "2", "True"]);
    const [wideHeader, wideRow] = (await team.kubectl("get", "mc", "--output=wide")).split("\n");
    expect(cells(wideHeader)).toEqual(["NAME", "DESIRED", "CURRENT", "READY", "REASON", "IMAGE", "NODES", "AGE"]);
    expect(cells(wideRow).slice(4, 7)).toEqual(["RolledOut", "memcached:1.4.36-alpine", JSON.stringify(status?.nodes)]);
  });

  it("tells in describe what has happened", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    await team.kubectl("wait", "--for=condition=Ready", `memcached/${name}`, "--timeout=40s");
    await expect
      .poll(() => team.kubectl("describe", "memcached", name), patience)
      .toMatch(
        /Normal +Created .*created Deployment memcached-sample\n[\s\S]*Normal +RolledOut .*2 of 2 Pods are ready/,
      );
  });

  it.for([
    ["spec.size", { size: -1 }],
    ["spec.size", { size: "two" }],
    ["spec.size", {}],
    ["spec.image", { size: 1, image: "" }],
    ["spec.image", { size: 1, image: "two words" }],
    ["spec", undefined],
  ] as const)("names %s when it refuses a spec of %j", async ([field, spec], { team }) => {
    const written = { metadata: team.key(name), spec } as Created<Memcached>;
    const refused = await team.client.create(Memcached, written).catch((error: ApiError) => error.details);
    expect(refused).toMatchObject({ causes: expect.arrayContaining([expect.objectContaining({ field })]) });
  });

  it("refuses a name that no label could hold", async ({ team }) => {
    await expect(team.create("c".repeat(64), { size: 0 })).rejects.toThrow(
      "metadata.name must have at most 63 characters: it is the value of a label of the Pods",
    );
    await team.create("c".repeat(63), { size: 1 });
    await team.startOperator();
    expect((await team.ready("c".repeat(63))).status?.nodes).toHaveLength(1);
  });
});
