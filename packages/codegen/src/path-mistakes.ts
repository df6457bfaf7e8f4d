import type { CustomResourceType, OpenApi } from "@trimtab/crd";

/** A path that a version of a kind names, and what there must be at its end. */
interface NamedPath {
  readonly name: string;
  readonly path: string;
  readonly types?: readonly string[];
}

/**
 * Paths in a version of a kind that lead nowhere, or to what is not of the right type. The API server checks this of
 * selectable fields alone: a column would stay empty, and scaling would do nothing.
 */
export function pathMistakes(type: CustomResourceType): readonly string[] {
  const root: OpenApi = { type: "object", properties: { spec: type.schema.spec, status: type.schema.status } };
  return pathsOf(type).flatMap(({ name, path, types }) => {
    const found = nodeAt(root, path);
    if (typeof found === "string") return [`${name} reads ${path}: ${found}`];
    const actual = found?.["type"] as string | undefined;
    if (actual === undefined || types === undefined || types.includes(actual)) return [];
    return [`${name} reads ${path}: that is of type ${actual}, not ${types.join(" or ")}`];
  });
}

function pathsOf({ printerColumns, selectableFields, scale }: CustomResourceType): readonly NamedPath[] {
  return [
    ...printerColumns.map(({ name, jsonPath }) => ({ name: `the column ${name}`, path: jsonPath })),
    ...selectableFields.map((path) => ({ name: "field selection", path, types: ["string", "boolean", "integer"] })),
    ...(scale === undefined
      ? []
      : [
          { name: "the scale subresource", path: scale.specReplicasPath, types: ["integer"] },
          { name: "the scale subresource", path: scale.statusReplicasPath, types: ["integer"] },
        ]),
    ...(scale?.labelSelectorPath === undefined
      ? []
      : [{ name: "the scale subresource", path: scale.labelSelectorPath, types: ["string"] }]),
  ];
}

/** A name after a dot or in quotes, or anything else in brackets, which chooses among items. */
const step = /\.((?:[\w-]|\\.)+)|\['([^']+)'\]|\[[^\]]*\]/y;

/** What the schema says of a path; nothing where it says nothing of anything there; else why the path is wrong. */
function nodeAt(root: OpenApi, path: string): OpenApi | string | undefined {
  let node: OpenApi | undefined = root;
  for (let at = 0; at < path.length; at = step.lastIndex) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) return at === 0 ? "a path begins with a dot and a name" : undefined;
    const name = match[1]?.replaceAll("\\", "") ?? match[2];
    // What the server itself gives every object, no schema describes.
    if (at === 0 && ["metadata", "kind", "apiVersion"].includes(name ?? "")) return undefined;
    if (node["x-kubernetes-preserve-unknown-fields"] === true) return undefined;
    const next: OpenApi | undefined = name === undefined ? (node["items"] as OpenApi) : childOf(node, name);
    if (next === undefined) return name === undefined ? `${path.slice(0, at)} is no list` : `there is no field ${name}`;
    node = next;
  }
  return node;
}

function childOf(node: OpenApi, name: string): OpenApi | undefined {
  const properties = (node["properties"] ?? {}) as Readonly<Record<string, OpenApi | undefined>>;
  return properties[name] ?? (node["additionalProperties"] as OpenApi | undefined);
}
