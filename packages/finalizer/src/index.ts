export type { FinalizerSteps } from "./finalizer.ts";
export { withFinalizer } from "./finalizer.ts";
