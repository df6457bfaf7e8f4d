import type { Condition, KubeObject, ResourceType } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ConditionReport, reportStatus } from "./report-status.ts";

type WidgetCondition = Condition<"Ready" | "Available" | "Progressing">;

interface Widget extends KubeObject {
  readonly kind: "Widget";
  readonly status?: {
    readonly nodes: readonly string[];
    readonly observedGeneration?: number;
    readonly conditions?: readonly WidgetCondition[];
  };
}

const Widget: ResourceType<Widget> = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
};

function widget(generation: number, conditions?: readonly WidgetCondition[]): Widget {
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "a", uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z", generation },
    ...(conditions !== undefined && { status: { nodes: [], observedGeneration: generation, conditions } }),
  };
}

const ready: ConditionReport<"Ready"> = { type: "Ready", status: "True", reason: "AllThere", message: "2 of 2" };
const available: ConditionReport<"Available"> = { ...ready, type: "Available" };

/** The status that is written of an object. */
async function written(object: Widget, conditions: readonly ConditionReport<"Ready" | "Available">[]) {
  const statuses: NonNullable<Widget["status"]>[] = [];
  const client: Pick<Client, "applyStatus"> = {
    async applyStatus<T extends KubeObject & { readonly status?: unknown }>(
      _: ResourceType<T>,
      to: T,
      status: NonNullable<T["status"]>,
    ): Promise<T> {
      statuses.push(status as NonNullable<Widget["status"]>);
      return to;
    },
  };
  await reportStatus({ client: client as Client }, Widget, object, { nodes: ["n"], conditions });
  expect(statuses).toHaveLength(1);
  return statuses[0];
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-02T00:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("reportStatus", () => {
  it("says which generation it is about, in the status and in each condition", async () => {
    const status = await written(widget(7), [ready, available]);
    expect(status).toMatchObject({ nodes: ["n"], observedGeneration: 7 });
    expect(status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([7, 7]);
  });

  it("keeps the moment of a condition's last transition while its status stays the same", async () => {
    const before = { ...ready, message: "2 of 2", lastTransitionTime: "2026-01-01T00:00:00Z", observedGeneration: 6 };
    const status = await written(widget(7, [before]), [{ ...ready, message: "3 of 3" }]);
    expect(status?.conditions).toEqual([
      { ...ready, message: "3 of 3", lastTransitionTime: "2026-01-01T00:00:00Z", observedGeneration: 7 },
    ]);
  });

  it("moves it when the status changes", async () => {
    const before = { ...ready, status: "False" as const, lastTransitionTime: "2026-01-01T00:00:00Z" };
    const status = await written(widget(7, [before]), [ready]);
    expect(new Date(status?.conditions?.[0]?.lastTransitionTime ?? 0)).toEqual(new Date("2026-02-02T00:00:00Z"));
  });

  it("keeps conditions in their order, puts new ones last and drops what is no longer reported", async () => {
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const before = [
      { ...available, type: "Progressing" as const, lastTransitionTime },
      { ...available, lastTransitionTime },
    ];
    const status = await written(widget(7, before), [ready, available]);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(["Available", "Ready"]);
  });
});
