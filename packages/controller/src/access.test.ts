import { ConfigMap, Deployment, type KubeObject, Pod, type ResourceType } from "@trimtab/apimachinery";
import type { ClientCall } from "@trimtab/client";
import { describe, expect, it } from "vitest";
import { accessOf } from "./access.ts";
import { type ControllerDefinition, controllerFor } from "./controller-for.ts";
import { enqueueRequests } from "./event-handler.ts";
import { done } from "./result.ts";

const Widget = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
  schema: { status: {} },
} as ResourceType<KubeObject>;

const reconcile = async () => done();

/** As `verb resource`, in alphabetical order. */
function access(definition: ControllerDefinition): readonly string[] {
  const named = accessOf(definition).map(({ verb, group, resource, subresource }) => {
    const kind = group === "" ? resource : `${resource}.${group}`;
    return `${verb} ${kind}${subresource === undefined ? "" : `/${subresource}`}`;
  });
  return [...new Set(named)].sort();
}

describe("accessOf", () => {
  it("lists and watches the reconciled kind, and writes the status of a custom resource", () => {
    expect(access(controllerFor(Widget).complete(reconcile))).toEqual([
      "list widgets.example.com",
      "update widgets.example.com/status",
      "watch widgets.example.com",
    ]);
    expect(access(controllerFor(ConfigMap).complete(reconcile))).toEqual(["list configmaps", "watch configmaps"]);
  });

  it("writes no status of a custom resource that has none", () => {
    const Stateless = { ...Widget, schema: {} } as ResourceType<KubeObject>;
    expect(access(controllerFor(Stateless).complete(reconcile))).toEqual([
      "list widgets.example.com",
      "watch widgets.example.com",
    ]);
  });

  it("applies what is owned, and holds back its owner's deletion", () => {
    expect(access(controllerFor(ConfigMap).owns(Deployment).complete(reconcile))).toEqual([
      "create deployments.apps",
      "get deployments.apps",
      "list configmaps",
      "list deployments.apps",
      "patch deployments.apps",
      "update configmaps/finalizers",
      "watch configmaps",
      "watch deployments.apps",
    ]);
  });

  it("only reads what is watched", () => {
    const handler = enqueueRequests<Pod, ConfigMap | Pod>(() => []);
    expect(access(controllerFor(ConfigMap).watches(Pod, handler).complete(reconcile))).toEqual([
      "list configmaps",
      "list pods",
      "watch configmaps",
      "watch pods",
    ]);
  });

  it.each<[ClientCall, readonly string[]]>([
    ["addFinalizer", ["patch widgets.example.com"]],
    ["removeFinalizer", ["get widgets.example.com", "patch widgets.example.com"]],
    ["updateStatus", ["update widgets.example.com/status"]],
    ["patch/scale", ["patch widgets.example.com/scale"]],
    ["delete", ["delete widgets.example.com"]],
  ])("takes a declared %s for what it needs, and nothing else", (call, needed) => {
    const unread = access(controllerFor(Widget, { calls: [call] }).complete(reconcile)).filter(
      (right) => !/^(list|watch) /.test(right),
    );
    expect(unread).toEqual(needed);
  });

  it("patches the status of a built-in kind, which a PUT would change more of", () => {
    expect(access(controllerFor(Deployment, { calls: ["applyStatus"] }).complete(reconcile))).toContain(
      "patch deployments.apps/status",
    );
  });
});
