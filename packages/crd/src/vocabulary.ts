/** The words that a schema is written in: `k.object({ size: k.int32() })`. */
export { list, listMap, map, set } from "./collection.ts";
export { labelSelector } from "./label-selector.ts";
export { object, opaque } from "./object.ts";
export { boolean, bytes, int32, int64, intOrString, oneOf, string, time } from "./scalar.ts";
