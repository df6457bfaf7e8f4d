import type { OpenApi, Rule } from "@trimtab/crd";

/** A place within the schema of a custom resource. */
export interface SchemaNode {
  readonly schema: OpenApi;
  /** As a user would name it, such as `spec.hosts[*].name`; of the resource itself, nothing. */
  readonly path: string;
  /** From the resource to this, both included. */
  readonly ancestors: readonly SchemaNode[];
}

/** What there can be many of, and the keyword that bounds it. */
export type Bound = "maxItems" | "maxProperties" | "maxLength";

/** The resource and all that it holds, in the order in which the schema has them. */
export function schemaNodes(root: OpenApi): readonly SchemaNode[] {
  return nodesUnder(root, "", []);
}

function nodesUnder(schema: OpenApi, path: string, above: readonly SchemaNode[]): readonly SchemaNode[] {
  const ancestors: SchemaNode[] = [...above];
  const node: SchemaNode = { schema, path, ancestors };
  ancestors.push(node);
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, OpenApi>>;
  const items = [schema["items"], schema["additionalProperties"]] as readonly (OpenApi | undefined)[];
  return [
    node,
    ...Object.entries(properties).flatMap(([name, property]) =>
      nodesUnder(property, path === "" ? name : `${path}.${name}`, ancestors),
    ),
    ...items.flatMap((item) => (item === undefined ? [] : nodesUnder(item, `${path}[*]`, ancestors))),
  ];
}

export function rulesOf({ schema }: SchemaNode): readonly Rule[] {
  return (schema["x-kubernetes-validations"] ?? []) as readonly Rule[];
}

/** The keyword that bounds such a value, if it can be large at all. */
export function boundOf({ schema }: SchemaNode): Bound | undefined {
  if (schema["type"] === "array") return "maxItems";
  if (schema["additionalProperties"] !== undefined) return "maxProperties";
  if (schema["x-kubernetes-int-or-string"] === true) return "maxLength";
  const isText = schema["type"] === "string" && schema["enum"] === undefined;
  return isText && !["date", "date-time", "duration"].includes(schema["format"] as string) ? "maxLength" : undefined;
}

/** The schema with a bound of this size at each of the places, unless it has a lower one. */
export function withBounds(root: OpenApi, paths: ReadonlySet<string>, most: number): OpenApi {
  return bounded({ schema: root, path: "", ancestors: [] }, paths, most);
}

function bounded(node: SchemaNode, paths: ReadonlySet<string>, most: number): OpenApi {
  const { schema, path } = node;
  const bound = paths.has(path) ? boundOf(node) : undefined;
  const inner = (child: unknown, childPath: string) =>
    bounded({ schema: child as OpenApi, path: childPath, ancestors: [] }, paths, most);
  const { properties, items, additionalProperties: values } = schema;
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as object).map(([name, property]) => [
          name,
          inner(property, path === "" ? name : `${path}.${name}`),
        ]),
      ),
    }),
    ...(items !== undefined && { items: inner(items, `${path}[*]`) }),
    ...(values !== undefined && { additionalProperties: inner(values, `${path}[*]`) }),
    ...(bound !== undefined && { [bound]: Math.min(most, (schema[bound] as number | undefined) ?? most) }),
  };
}
