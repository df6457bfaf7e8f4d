import { celName, type OpenApi } from "@trimtab/crd";

/** What the API server knows of a value before there is one: its type in CEL, and how large it may become. */
export interface CelType {
  readonly is: "scalar" | "string" | "bytes" | "list" | "map" | "object" | "optional" | "dyn" | "opaque";
  /** The most characters, bytes, items or entries; of what is from a schema and has no size, 0. */
  readonly size?: number;
  /** Of lists; of the values of maps, whose keys are strings; of optional values. */
  readonly item?: CelType;
  /** Of objects, by the names that CEL has for them. */
  readonly fields?: ReadonlyMap<string, CelType>;
  /** The fewest bytes that such a value takes in JSON. */
  readonly leastBytes: number;
}

/** A request of more bytes is refused, so that nothing in an object is larger. */
export const mostBytes: number = 3 * 1024 * 1024;

/**
 * The type of what a schema describes, or nothing if CEL does not see it (`SchemaDeclType` of k8s.io/apiserver's
 * `pkg/cel/common/schemas.go`).
 */
export function celTypeOf(
  schema: OpenApi,
  isRoot: boolean = schema["x-kubernetes-embedded-resource"] === true,
): CelType | undefined {
  const { type, maxLength } = schema as { type?: string; maxLength?: number };
  if (schema["x-kubernetes-int-or-string"] === true) {
    return { is: "dyn", size: maxLength === undefined ? mostBytes - 2 : maxLength * 4, leastBytes: 1 };
  }
  if (type === "object")
    return schema["additionalProperties"] === undefined ? objectType(schema, isRoot) : mapType(schema);
  if (type === "array") return listType(schema);
  if (type === "string") return stringType(schema, maxLength);
  if (type === "boolean") return { is: "scalar", size: 0, leastBytes: 4 };
  return type === "integer" || type === "number" ? { is: "scalar", size: 0, leastBytes: 1 } : undefined;
}

function listType(schema: OpenApi): CelType | undefined {
  const item = schema["items"] === undefined ? undefined : celTypeOf(schema["items"] as OpenApi);
  if (item === undefined) return undefined;
  const size = (schema["maxItems"] as number | undefined) ?? Math.floor((mostBytes - 2) / (item.leastBytes + 1));
  return { is: "list", size, item, leastBytes: 2 };
}

function mapType(schema: OpenApi): CelType | undefined {
  const item = celTypeOf(schema["additionalProperties"] as OpenApi);
  if (item === undefined) return undefined;
  const size = (schema["maxProperties"] as number | undefined) ?? Math.floor((mostBytes - 2) / (item.leastBytes + 6));
  return { is: "map", size, item, leastBytes: 2 };
}

const text: CelType = { is: "string", size: mostBytes - 2, leastBytes: 2 };
/** What CEL sees of every resource, be it in the schema or not. */
const resource: readonly (readonly [string, CelType])[] = [
  ["apiVersion", text],
  ["kind", text],
  [
    "metadata",
    {
      is: "object",
      size: 0,
      fields: new Map([
        ["name", text],
        ["generateName", text],
      ]),
      leastBytes: 2,
    },
  ],
];

function objectType(schema: OpenApi, isRoot: boolean): CelType {
  const required = (schema["required"] ?? []) as readonly string[];
  const fields = new Map<string, CelType>();
  let leastBytes = 2;
  for (const [name, property] of Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, OpenApi>>)) {
    const type = celTypeOf(property);
    if (type === undefined) continue;
    fields.set(celName(name), type);
    if (required.includes(name) && property["default"] === undefined) leastBytes += name.length + type.leastBytes + 4;
  }
  if (isRoot) for (const [name, type] of resource) fields.set(name, type);
  return { is: "object", size: 0, fields, leastBytes };
}

/** Of strings with these formats CEL sees something else than text. */
const formats: Readonly<Record<string, CelType>> = {
  duration: { is: "scalar", size: 32, leastBytes: 3 },
  date: { is: "scalar", size: 12, leastBytes: 12 },
  "date-time": { is: "scalar", size: 32, leastBytes: 21 },
};

function stringType(schema: OpenApi, maxLength: number | undefined): CelType {
  const format = schema["format"] as string | undefined;
  const other = format === undefined ? undefined : formats[format];
  if (other !== undefined) return other;
  if (format === "byte") return { ...text, is: "bytes", size: maxLength ?? mostBytes - 2 };
  // The limit is of characters, and one may take four bytes.
  if (maxLength !== undefined) return { ...text, size: maxLength * 4 };
  const choices = schema["enum"] as readonly string[] | undefined;
  return choices === undefined
    ? text
    : { ...text, size: Math.max(...choices.map((choice) => Buffer.byteLength(choice))) };
}
