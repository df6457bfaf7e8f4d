import { type CustomResourceType, customResource, k } from "@trimtab/crd";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Kettle } from "../test/kitchen/api/kettle.ts";
import { operator } from "../test/kitchen/operator.ts";
import { rbacFiles } from "./rbac-files.ts";

const options = { group: "kitchen.example.com", version: "v1", kind: "Kettle", spec: k.object({}) } as const;

/** The generated files by their names. */
function generated(types: readonly CustomResourceType[] = [Kettle]): Readonly<Record<string, string>> {
  const files = rbacFiles(operator, types);
  return Object.fromEntries(files.map(({ name, text }) => [name, text]));
}

describe("rbacFiles", () => {
  it("grants the operator what its controllers declare, and to write Events", () => {
    expect(parse(generated()["role.yaml"] ?? "")).toEqual({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "manager-role" },
      rules: [
        { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "get", "list", "patch", "watch"] },
        { apiGroups: [""], resources: ["namespaces"], verbs: ["list", "watch"] },
        { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
        { apiGroups: ["kitchen.example.com"], resources: ["kettles"], verbs: ["list", "watch"] },
        { apiGroups: ["kitchen.example.com"], resources: ["kettles/finalizers", "kettles/status"], verbs: ["update"] },
      ],
    });
  });

  it("says at a rule why it is there, and why it is wider than what is read", () => {
    const text = generated()["role.yaml"];
    expect(text).toContain(
      "      # Only those labelled app=kettle are watched, but RBAC knows no labels.\n      - configmaps",
    );
    expect(text).toMatch(/ {6}# Where OwnerReferencesPermissionEnforcement is on.*\n {6}- kettles\/finalizers\n/);
  });

  it("puts what is in no namespace apart from what a Role can grant", () => {
    const files = generated();
    const resources = (name: string): readonly string[] =>
      parse(files[name] ?? "").rules.flatMap((rule: { resources: string[] }) => rule.resources);
    expect(resources("namespaced/role.yaml")).toEqual([
      "configmaps",
      "events",
      "kettles",
      "kettles/finalizers",
      "kettles/status",
    ]);
    expect(resources("cluster/role.yaml")).toEqual(["namespaces"]);
  });

  it("lets the operator have its own Lease, and make it, but touch no other", () => {
    expect(parse(generated()["leader_election_role.yaml"] ?? "").rules).toEqual([
      {
        apiGroups: ["coordination.k8s.io"],
        resources: ["leases"],
        resourceNames: ["kitchen-leader"],
        verbs: ["get", "update"],
      },
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
    ]);
  });

  it.each([
    ["admin", "admin", ["*"]],
    ["editor", "edit", ["create", "delete", "get", "list", "patch", "update", "watch"]],
    ["viewer", "view", ["get", "list", "watch"]],
  ])("adds the %s of a kind to the role %s", (persona, builtIn, verbs) => {
    const { metadata, rules } = parse(generated()[`kettle_${persona}_role.yaml`] ?? "");
    expect(metadata).toEqual({
      name: `kettle-${persona}-role`,
      labels: { [`rbac.authorization.k8s.io/aggregate-to-${builtIn}`]: "true" },
    });
    expect(rules).toEqual([
      { apiGroups: ["kitchen.example.com"], resources: ["kettles"], verbs },
      { apiGroups: ["kitchen.example.com"], resources: ["kettles/status"], verbs: ["get"] },
    ]);
  });

  it("lets editors scale what has replicas", () => {
    const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };
    const scaled = customResource({ ...options, scale, status: k.object({ size: k.int32() }) });
    const { rules } = parse(generated([scaled])["kettle_editor_role.yaml"] ?? "");
    expect(rules).toContainEqual(
      expect.objectContaining({ resources: ["kettles/scale"], verbs: ["get", "patch", "update"] }),
    );
  });

  it("does not show what is confidential to whoever may view a namespace", () => {
    const files = generated([customResource({ ...options, confidential: true })]);
    expect(parse(files["kettle_viewer_role.yaml"] ?? "").metadata).toEqual({ name: "kettle-viewer-role" });
    expect(files["kettle_editor_role.yaml"]).toContain("aggregate-to-edit");
  });

  it("writes the roles of a kind once, in however many versions it comes", () => {
    const files = generated([Kettle, customResource({ ...options, version: "v2", storage: true })]);
    expect(files).toEqual(generated());
  });
});
