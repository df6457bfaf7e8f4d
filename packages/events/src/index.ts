export { eventAccess } from "./event-access.ts";
export type { EventRecorder, EventRecorderOptions, Recorder } from "./event-recorder.ts";
export { createEventRecorder } from "./event-recorder.ts";
