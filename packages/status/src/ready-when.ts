import type { ConditionReport } from "./report-status.ts";

/**
 * The summary that `kubectl wait --for=condition=Ready` goes by: true when all of these conditions are.
 *
 * It takes its reason and message from the first that is false, else from the first that is unknown, else from the
 * first of all.
 */
export function readyWhen(...needed: readonly [ConditionReport, ...ConditionReport[]]): ConditionReport<"Ready"> {
  const decisive =
    needed.find(({ status }) => status === "False") ?? needed.find(({ status }) => status === "Unknown") ?? needed[0];
  return { ...decisive, type: "Ready" };
}
