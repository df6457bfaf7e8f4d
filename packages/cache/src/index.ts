export { createCache } from "./cache.ts";
export type {
  Cache,
  CacheListOptions,
  CacheOptions,
  CacheReader,
  EventListener,
  InformerHealth,
  InformerOptions,
} from "./cache.ts";
export type { ObjectEvent } from "./object-event.ts";
