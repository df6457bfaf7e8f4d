import { type CustomResourceType, customResource, k } from "@trimtab/crd";
import { fieldMarkers } from "./field-markers.ts";

const names = {
  group: "markers.example.com",
  kind: "Thing",
  plural: "things",
  singular: "thing",
  listKind: "ThingCollection",
  shortNames: ["evm"],
  categories: ["markers"],
  crdMetadata: { labels: { team: "kitchen" }, annotations: { "example.com/contact": "the kitchen" } },
} as const;

const status = k.object({ replicas: k.int32().optional(), selector: k.string().optional() });

const stored = customResource({
  ...names,
  version: "v1",
  storage: true,
  description: "Every marker there is.",
  title: "A thing",
  example: { spec: { size: 2 } },
  externalDocs: { url: "https://example.com/everything", description: "More of it." },
  spec: k
    .object({
      ...Object.fromEntries(Object.entries(fieldMarkers).map(([name, { says }]) => [name, says])),
      size: k.int32().default(1),
      colour: k.string({ maxLength: 20 }).optional(),
      room: k.string({ maxLength: 20 }).optional(),
    })
    .default({}),
  status,
  scale: {
    specReplicasPath: ".spec.size",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
  selectableFields: [".spec.colour", ".spec.size"],
  printerColumns: [
    { name: "Size", type: "integer", format: "int32", jsonPath: ".spec.size", description: "How much of it." },
    { name: "Colour", type: "string", jsonPath: ".spec.colour", priority: 1 },
  ],
});

const deprecatedWithText = customResource({
  ...names,
  version: "v1beta1",
  deprecated: "markers.example.com/v1beta1 Thing goes away: use v1",
  spec: k.opaque<object>(),
  status,
});

const deprecated = customResource({
  ...names,
  version: "v1alpha2",
  deprecated: true,
  spec: k.opaque<object>(),
});

const unserved = customResource({
  ...names,
  version: "v1alpha1",
  served: false,
  spec: k.opaque<object>(),
});

/** The versions of a kind that says all that controller-gen's markers of types and of fields say. */
export const everything: readonly [CustomResourceType, ...(readonly CustomResourceType[])] = [
  unserved,
  deprecated,
  deprecatedWithText,
  stored,
];
