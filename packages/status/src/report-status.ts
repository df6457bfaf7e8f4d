import {
  type Condition,
  type ConditionStatus,
  type KubeObject,
  type ResourceType,
  setCondition,
} from "@trimtab/apimachinery";
import type { Client } from "@trimtab/client";

/** A condition as a reconcile finds it to be; what it observed, and since when, is added when it is reported. */
export interface ConditionReport<Type extends string = string> {
  readonly type: Type;
  readonly status: ConditionStatus;
  /** One word in PascalCase that a program can go by. */
  readonly reason: string;
  /** For people: what is so, and what to do about it. */
  readonly message: string;
}

/** An object whose status has conditions and says which generation it is about. */
export type Reporting = KubeObject & {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
};

type StatusOf<T extends Reporting> = NonNullable<T["status"]>;
type ConditionTypeOf<T extends Reporting> = NonNullable<StatusOf<T>["conditions"]>[number]["type"];

/** All of a status but what `reportStatus` fills in; of use to a type only that has an `observedGeneration`. */
export type StatusReport<T extends Reporting> = "observedGeneration" extends keyof StatusOf<T>
  ? Omit<StatusOf<T>, "conditions" | "observedGeneration"> & {
      readonly conditions: readonly ConditionReport<ConditionTypeOf<T>>[];
    }
  : never;

/**
 * Makes the status of `object` be what is reported, whole, by one write; by none if it is so already.
 *
 * - `observedGeneration`, of the status and of each condition, is that of the object as it was read.
 * - `lastTransitionTime` moves only when a condition's status does.
 * - Conditions keep their order, new ones come last, and one that is no longer reported goes.
 *
 * Belongs at the end of a reconcile, and not after the finalizer is off: then the object may be gone.
 */
export async function reportStatus<T extends Reporting>(
  { client }: { readonly client: Client },
  type: ResourceType<T>,
  object: T,
  report: StatusReport<T>,
): Promise<T> {
  const { generation } = object.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const status = { ...report, ...observed, conditions: conditionsOf(object, report.conditions, observed) };
  return client.applyStatus(type, object, status as unknown as StatusOf<T>);
}

function conditionsOf(
  { status }: Reporting,
  reports: readonly ConditionReport[],
  observed: { readonly observedGeneration?: number },
): readonly Condition[] {
  const now = new Date();
  const reported = new Set(reports.map(({ type }) => type));
  const kept = (status?.conditions ?? []).filter(({ type }) => reported.has(type));
  return reports.reduce<readonly Condition[]>(
    (conditions, report) => setCondition(conditions, { ...report, ...observed }, now),
    kept,
  );
}
