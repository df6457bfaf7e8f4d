export { readyWhen } from "./ready-when.ts";
export type { ConditionReport, Reporting, StatusReport } from "./report-status.ts";
export { reportStatus } from "./report-status.ts";
