/** The words that a schema is written in: `k.object({ size: k.int32() })`. */
export { list, listMap, map, set } from "./collection.ts";
export { embeddedResource } from "./embedded-resource.ts";
export { labelSelector } from "./label-selector.ts";
export { atomic, json, object, opaque, openObject } from "./object.ts";
export {
  boolean,
  bytes,
  int32,
  int64,
  intOrString,
  number,
  oneOf,
  quantity,
  string,
  time,
} from "./scalar.ts";
