import { resolve } from "node:path";
import type { ApiError, Created } from "@trimtab/client";
import { describe, expect } from "vitest";
import { PodSet } from "../src/api/v1alpha1/podset.ts";
import { it, patience } from "./team.ts";

const sample = resolve(import.meta.dirname, "../config/samples/app_v1alpha1_podset.yaml");
const name = "podset-sample";

function cells(line = ""): readonly string[] {
  return line.trim().split(/\s{2,}/);
}

describe("the tutorial, by kubectl", () => {
  it("makes the sample's pods, follows its number, and leaves nothing", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    await team.kubectl("wait", "--for=condition=Ready", `podset/${name}`, "--timeout=20s");
    expect((await team.podset(name)).status?.podNames).toEqual(await team.podNames(name));
    for (const value of [5, 1]) {
      const patch = JSON.stringify([{ op: "replace", path: "/spec/replicas", value }]);
      await team.kubectl("patch", "podset", name, "--type=json", `-p=${patch}`);
      expect((await team.ready(name)).status?.podNames).toHaveLength(value);
      await expect.poll(() => team.pods(name), patience).toHaveLength(value);
    }
    await team.kubectl("delete", "podset", name);
    await expect.poll(() => team.kubectl("get", "pods", "--output=name"), patience).toBe("");
  });

  it("makes no pod for a PodSet that is being deleted", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    await team.ready(name);
    await team.kubectl("delete", "podset", name, "--cascade=foreground");
    await expect.poll(() => team.kubectl("get", "pods,podsets", "--output=name"), patience).toBe("");
    expect((await team.writes()).filter((write) => write.startsWith("create pods"))).toHaveLength(3);
  });

  it("scales up and down", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    for (const replicas of [10, 1, 4]) {
      await team.kubectl("scale", `podset/${name}`, `--replicas=${replicas}`);
      expect((await team.ready(name)).status?.podNames).toHaveLength(replicas);
    }
    const scale = JSON.parse(
      await team.kubectl(
        "get",
        "--raw",
        `/apis/app.example.com/v1alpha1/namespaces/${team.namespace}/podsets/${name}/scale`,
      ),
    );
    expect(scale).toMatchObject({
      spec: { replicas: 4 },
      status: { replicas: 4, selector: `app=${name},version=v0.1` },
    });
  });

  it("shows what counts in a line, and all of it on a wide one", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    const { status } = await team.ready(name);
    const [header, row] = (await team.kubectl("get", "podsets")).split("\n");
    expect(cells(header)).toEqual(["NAME", "DESIRED", "CURRENT", "AVAILABLE", "READY", "AGE"]);
    expect(cells(row).slice(0, 5)).toEqual([name, "3", "3", "3", "True"]);
    const [wideHeader, wideRow] = (await team.kubectl("get", "podsets", "--output=wide")).split("\n");
    expect(cells(wideHeader)).toEqual(["NAME", "DESIRED", "CURRENT", "AVAILABLE", "READY", "REASON", "PODS", "AGE"]);
    expect(cells(wideRow).slice(5, 7)).toEqual(["PodsReady", JSON.stringify(status?.podNames)]);
  });

  it("tells in describe what has happened", async ({ team }) => {
    await team.startOperator();
    await team.kubectl("create", `--filename=${sample}`);
    await team.ready(name);
    await team.kubectl("scale", `podset/${name}`, "--replicas=2");
    await team.ready(name);
    await expect
      .poll(() => team.kubectl("describe", "podset", name), patience)
      .toMatch(
        /Normal +Created .*created 3 pods: podset-sample-pod-[\s\S]*Normal +Deleted .*deleted pod podset-sample-pod-/,
      );
  });

  it.for([
    ["spec.replicas", { replicas: 0 }],
    ["spec.replicas", { replicas: 11 }],
    ["spec.replicas", { replicas: "two" }],
    ["spec.replicas", { replicas: 1.5 }],
    ["spec", "two"],
  ] as const)("names %s when it refuses a spec of %j", async ([field, spec], { team }) => {
    const written = { metadata: team.key(name), spec } as Created<PodSet>;
    const refused = await team.client.create(PodSet, written).catch((error: ApiError) => error.details);
    expect(refused).toMatchObject({ causes: expect.arrayContaining([expect.objectContaining({ field })]) });
  });

  it("refuses a name that no label could hold", async ({ team }) => {
    await expect(team.create("s".repeat(64))).rejects.toThrow(
      "metadata.name must have at most 63 characters: it is the value of a label of the pods",
    );
    await team.create("s".repeat(63));
    await team.startOperator();
    expect((await team.ready("s".repeat(63))).status?.podNames).toHaveLength(1);
  });
});
