import { type CustomResourceType, customResourceDefinition } from "@trimtab/crd";
import { stringify } from "yaml";
import { type GeneratedFile, head } from "./generated-file.ts";

/** The CRD of a type as a YAML file, named as controller-gen names it. The same type gives the same bytes. */
export function crdFile(type: CustomResourceType): GeneratedFile {
  const manifest = customResourceDefinition(type);
  return {
    name: `${type.group}_${type.plural}.yaml`,
    text: `${head}---\n${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })}`,
  };
}
