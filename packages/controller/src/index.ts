export { accessOf } from "./access.ts";
export type { ControllerRuntime } from "./controller.ts";
export { Controller } from "./controller.ts";
export type {
  ControllerBuilder,
  ControllerDefinition,
  ControllerOptions,
  SourceOptions,
  WatchDefinition,
} from "./controller-for.ts";
export { controllerFor } from "./controller-for.ts";
export type { ControllerObserver, ControllerState, Outcome } from "./controller-observer.ts";
export type { EventHandler } from "./event-handler.ts";
export { enqueueOwner, enqueueRequests, enqueueSelf } from "./event-handler.ts";
export { informersOf } from "./informers-of.ts";
export { missingRule } from "./missing-rule.ts";
export type { Predicate } from "./predicate.ts";
export { and, annotationsChanged, changed, labelsChanged, not, or, specChanged } from "./predicate.ts";
export type { Reconcile, ReconcileContext } from "./reconcile.ts";
export type { Result } from "./result.ts";
export { done, requeueAfter } from "./result.ts";
export { TerminalError } from "./terminal-error.ts";
