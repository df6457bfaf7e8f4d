import type { CustomResourceDefinition } from "@trimtab/apimachinery";
import type { CustomResourceType } from "./custom-resource.ts";
import type { OpenApi } from "./schema.ts";

/** One version within a CRD. */
export type CrdVersion = CustomResourceDefinition["spec"]["versions"][number];

/** What a CRD says of one version of its kind. */
export function crdVersion(type: CustomResourceType, storage: boolean): CrdVersion {
  const { version, served = true, deprecated = false, printerColumns, selectableFields } = type;
  const subresources = subresourcesOf(type);
  return {
    name: version,
    served,
    storage,
    ...(deprecated !== false && { deprecated: true }),
    ...(typeof deprecated === "string" && { deprecationWarning: deprecated }),
    ...(printerColumns.length > 0 && { additionalPrinterColumns: printerColumns }),
    ...(selectableFields.length > 0 && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
    ...(subresources !== undefined && { subresources }),
    // The generated model spells keywords by its own rules (`_enum`), which are not those of the wire.
    schema: { openAPIV3Schema: rootSchema(type) as NonNullable<CrdVersion["schema"]>["openAPIV3Schema"] & object },
  };
}

function subresourcesOf({ schema, scale }: CustomResourceType): CrdVersion["subresources"] {
  if (schema.status === undefined && scale === undefined) return undefined;
  return { ...(schema.status !== undefined && { status: {} }), ...(scale !== undefined && { scale }) };
}

function rootSchema({ description, title, example, externalDocs, rules, schema }: CustomResourceType): OpenApi {
  return {
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    ...(example !== undefined && { example }),
    ...(externalDocs !== undefined && { externalDocs }),
    type: "object",
    ...(schema.specRequired && { required: ["spec"] }),
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      spec: schema.spec,
      ...(schema.status !== undefined && { status: schema.status }),
    },
    ...(rules.length > 0 && { "x-kubernetes-validations": rules }),
  };
}
