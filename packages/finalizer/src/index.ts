export { withFinalizer } from "./finalizer.ts";
export type { FinalizerSteps } from "./finalizer.ts";
