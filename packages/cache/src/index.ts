export type { Cache, CacheOptions, CacheReader } from "./cache.ts";
export { createCache } from "./cache.ts";
export type { EventDetails, EventListener } from "./event-listeners.ts";
export type { InformerOptions } from "./informer.ts";
export type { ObjectEvent } from "./object-event.ts";
export type { CacheListOptions } from "./store.ts";
export type { InformerHealth } from "./stream-health.ts";
