import type { Condition, KubeObject, ResourceType } from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";
import { reportStatus } from "./index.ts";

interface Honest extends KubeObject {
  readonly kind: "Honest";
  readonly status?: {
    readonly nodes: readonly string[];
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition<"Ready" | "Available">[];
  };
}
interface Vague extends KubeObject {
  readonly kind: "Vague";
  readonly status?: { readonly conditions?: readonly Condition[] };
}

declare const context: { readonly client: Client };
declare const honest: { readonly type: ResourceType<Honest>; readonly object: Honest };
declare const vague: { readonly type: ResourceType<Vague>; readonly object: Vague };

const conditions = [{ type: "Ready", status: "True", reason: "R", message: "m" }] as const;

await reportStatus(context, honest.type, honest.object, { nodes: [], conditions });
// @ts-expect-error nodes belong to the status
await reportStatus(context, honest.type, honest.object, { conditions });
await reportStatus(context, honest.type, honest.object, {
  nodes: [],
  // @ts-expect-error it has no such condition
  conditions: [{ type: "Raedy", status: "True", reason: "R", message: "m" }],
});
// @ts-expect-error its status does not say which generation it is about
await reportStatus(context, vague.type, vague.object, { conditions });
