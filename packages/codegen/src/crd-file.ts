import { type CustomResourceType, customResourceDefinition, type OpenApi } from "@trimtab/crd";
import { stringify } from "yaml";
import { overBudget } from "./cel/rule-budget.ts";
import { ruleMistakes } from "./cel/rule-mistakes.ts";
import { type GeneratedFile, headOf } from "./generated-file.ts";
import { pathMistakes } from "./path-mistakes.ts";

/**
 * The CRDs of these types as YAML files, named as controller-gen names them: one for each kind, with all of its
 * versions. The same types give the same bytes.
 *
 * @throws if versions of a kind do not go together, or if two kinds have the same plural
 */
export function crdFiles(types: readonly CustomResourceType[]): readonly GeneratedFile[] {
  const kinds: [CustomResourceType, ...CustomResourceType[]][] = [];
  for (const type of types) {
    const versions = kinds.find(([other]) => isOneCrd(type, other));
    if (versions === undefined) kinds.push([type]);
    else versions.push(type);
  }
  return kinds.map((versions) => crdFile(...versions));
}

/** Also if one of them misnames the other's kind or plural: they can only be meant to be one, or must not be two. */
function isOneCrd(a: CustomResourceType, b: CustomResourceType): boolean {
  return a.group === b.group && (a.kind === b.kind || a.plural === b.plural);
}

/**
 * The CRD of a kind, in one version or in several, as a YAML file.
 *
 * @throws if the API server would refuse it for a rule that is wrong or too expensive, or if a path leads nowhere
 */
export function crdFile(...versions: readonly [CustomResourceType, ...(readonly CustomResourceType[])]): GeneratedFile {
  const manifest = customResourceDefinition(...versions);
  const { group, names } = manifest.spec;
  const mistakes = [
    ...versions.flatMap((type) => pathMistakes(type).map((mistake) => `in ${type.version}, ${mistake}`)),
    ...manifest.spec.versions.flatMap(({ name, schema }) =>
      badRules((schema?.openAPIV3Schema ?? {}) as OpenApi).map((mistake) => `in ${name}, ${mistake}`),
    ),
  ];
  const size = JSON.stringify(manifest).length;
  if (size > mostCharacters)
    mistakes.push(`with ${size} characters it may not fit into etcd: describe less, below ${mostCharacters}`);
  if (mistakes.length > 0) throw new Error(`${manifest.metadata.name} cannot be as it is:\n${mistakes.join("\n")}`);
  return {
    name: `${group}_${names.plural}.yaml`,
    text: `${headOf("the types under src/api")}---\n${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })}`,
  };
}

/** etcd's limit of 1.5 MiB, less what the API server adds of its own, such as managed fields. */
const mostCharacters = 1_000_000;

function badRules(root: OpenApi): readonly string[] {
  const mistakes = ruleMistakes(root);
  return mistakes.length > 0 ? mistakes : overBudget(root);
}
