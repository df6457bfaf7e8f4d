import { customResource, k } from "@trimtab/crd";
import { testNamespace } from "@trimtab/envtest/vitest";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { rbacFiles } from "../src/index.ts";
import { kubectl } from "./kubectl.ts";

const group = "personas.example.com";
const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };
const Kettle = customResource({
  ...{ group, version: "v1", kind: "Kettle", scale },
  spec: k.object({ size: k.int32() }),
  status: k.object({ size: k.int32() }),
});
const Recipe = customResource({ group, version: "v1", kind: "Recipe", confidential: true, spec: k.object({}) });

let namespace: string;
beforeAll(async () => {
  namespace = await testNamespace("personas");
  for (const { name, text } of rbacFiles({ name: "kitchen", controllers: [] }, [Kettle, Recipe]))
    if (/_(admin|editor|viewer)_role\.yaml$/.test(name)) kubectl(["create", "--filename=-"], parse(text));
  for (const role of ["admin", "edit", "view"])
    kubectl(["create", "rolebinding", role, `--clusterrole=${role}`, `--user=${role}`, `--namespace=${namespace}`]);
});

/** Whether who has one of the API server's own roles in the namespace may do this; the words are such as `get kettles/status`. */
function may(role: string, words: string): boolean {
  const [verb, path = ""] = words.split(" ");
  const [resource, subresource] = path.split("/");
  const resourceAttributes = { namespace, group, resource, subresource, verb };
  const apiVersion = "authorization.k8s.io/v1";
  const review = { apiVersion, kind: "SubjectAccessReview", spec: { user: role, resourceAttributes } };
  return JSON.parse(kubectl(["create", "--filename=-", "--output=json"], review)).status.allowed;
}

describe("the API server's own roles", () => {
  it.each([
    ["view", ["get kettles", "list kettles", "watch kettles", "get kettles/status", "get kettles/scale"]],
    [
      "edit",
      ["watch kettles", "create kettles", "delete kettles", "patch kettles/scale", "get recipes", "update recipes"],
    ],
    ["admin", ["watch kettles", "deletecollection kettles", "update kettles/scale", "patch recipes"]],
  ])("let %s do with kinds of one's own what it may do with others", async (role, rights) => {
    // The API server's own roles are put together a moment after their parts are made.
    for (const right of rights) await expect.poll(() => may(role, right), { timeout: 20_000 }).toBe(true);
  });

  it.each([
    [
      "view",
      [
        "create kettles",
        "patch kettles/scale",
        "update kettles/status",
        "get recipes",
        "list recipes",
        "watch recipes",
      ],
    ],
    [
      "edit",
      ["update kettles/status", "patch kettles/status", "deletecollection kettles", "update kettles/finalizers"],
    ],
    ["admin", ["update kettles/status", "patch kettles/status"]],
  ])("let %s do no more than that", async (role, rights) => {
    await expect.poll(() => may(role, "get kettles"), { timeout: 20_000 }).toBe(true);
    for (const right of rights) expect({ right, isGranted: may(role, right) }).toEqual({ right, isGranted: false });
  });
});
