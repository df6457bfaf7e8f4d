import { k, type OpenApi, type Schema } from "@trimtab/crd";

/** How a marker of controller-gen is said here, and what the API server makes of it. */
export interface FieldMarker {
  /** As controller-gen calls them, without `kubebuilder:validation:`. */
  readonly markers: readonly string[];
  readonly says: Schema;
  /** Of the field's schema, as the API server has stored it. */
  readonly stored: OpenApi;
  /** A value that is accepted, and read back as it is. */
  readonly accepts?: unknown;
  /** A value that is refused, where in it, and why. */
  readonly refuses?: readonly [value: unknown, path: string, because: string];
}

const choice = k.object({ a: k.string().optional(), b: k.string().optional(), namespace: k.string().optional() });

/** The markers of fields, by the name of a field of a custom resource. */
export const fieldMarkers: Readonly<Record<string, FieldMarker>> = {
  maximum: {
    markers: ["Maximum"],
    says: k.int32({ maximum: 9 }).optional(),
    stored: { type: "integer", maximum: 9 },
    accepts: 9,
    refuses: [10, "", "should be less than or equal to 9"],
  },
  minimum: {
    markers: ["Minimum"],
    says: k.int64({ minimum: 1 }).optional(),
    stored: { type: "integer", minimum: 1 },
    accepts: 1,
    refuses: [0, "", "should be greater than or equal to 1"],
  },
  exclusiveMaximum: {
    markers: ["ExclusiveMaximum"],
    says: k.number({ maximum: 1, exclusiveMaximum: true }).optional(),
    stored: { type: "number", maximum: 1, exclusiveMaximum: true },
    accepts: 0.5,
    refuses: [1, "", "should be less than 1"],
  },
  exclusiveMinimum: {
    markers: ["ExclusiveMinimum"],
    says: k.number({ minimum: 0, exclusiveMinimum: true }).optional(),
    stored: { minimum: 0, exclusiveMinimum: true },
    accepts: 0.5,
    refuses: [0, "", "should be greater than 0"],
  },
  multipleOf: {
    markers: ["MultipleOf"],
    says: k.int32({ multipleOf: 5 }).optional(),
    stored: { multipleOf: 5 },
    accepts: 10,
    refuses: [7, "", "should be a multiple of 5"],
  },
  minProperties: {
    markers: ["MinProperties"],
    says: k.object({ a: k.string().optional() }, { minProperties: 1 }).optional(),
    stored: { type: "object", minProperties: 1 },
    accepts: { a: "x" },
    refuses: [{}, "", "should have at least 1 properties"],
  },
  maxProperties: {
    markers: ["MaxProperties"],
    says: k.map(k.int32(), { maxProperties: 1 }).optional(),
    stored: { type: "object", additionalProperties: { type: "integer", format: "int32" }, maxProperties: 1 },
    accepts: { a: 1 },
    refuses: [{ a: 1, b: 2 }, "", "must have at most 1 item"],
  },
  maxLength: {
    markers: ["MaxLength"],
    says: k.string({ maxLength: 2 }).optional(),
    stored: { type: "string", maxLength: 2 },
    accepts: "äö",
    refuses: ["abc", "", "may not be more than 2"],
  },
  minLength: {
    markers: ["MinLength"],
    says: k.string({ minLength: 2 }).optional(),
    stored: { minLength: 2 },
    accepts: "ab",
    refuses: ["a", "", "should be at least 2 chars long"],
  },
  pattern: {
    markers: ["Pattern"],
    says: k.string({ pattern: "^[a-z]+$" }).optional(),
    stored: { pattern: "^[a-z]+$" },
    accepts: "a",
    refuses: ["A", "", "should match '^[a-z]+$'"],
  },
  maxItems: {
    markers: ["MaxItems", "listType=atomic"],
    says: k.list(k.string(), { maxItems: 1 }).optional(),
    stored: { type: "array", items: { type: "string" }, maxItems: 1 },
    accepts: ["a"],
    refuses: [["a", "a"], "", "must have at most 1 item"],
  },
  minItems: {
    markers: ["MinItems"],
    says: k.list(k.string(), { minItems: 1 }).optional(),
    stored: { minItems: 1 },
    accepts: ["a", "a"],
    refuses: [[], "", "should have at least 1 items"],
  },
  itemsMaximum: {
    markers: ["items:…"],
    says: k.list(k.int32({ maximum: 9 })).optional(),
    stored: { items: { maximum: 9 } },
    accepts: [9],
    refuses: [[1, 10], "[1]", "should be less than or equal to 9"],
  },
  enum: {
    markers: ["Enum", "k8s:enum"],
    says: k.oneOf("on", "off").optional(),
    stored: { type: "string", enum: ["on", "off"] },
    accepts: "on",
    refuses: ["dim", "", 'supported values: "on", "off"'],
  },
  enumOfNumbers: {
    markers: ["Enum"],
    says: k.oneOf(1, 2, 4).optional(),
    stored: { type: "integer", enum: [1, 2, 4] },
    accepts: 4,
    refuses: [3, "", "supported values"],
  },
  format: {
    markers: ["Format"],
    says: k.string({ format: "ipv4" }).optional(),
    stored: { type: "string", format: "ipv4" },
    accepts: "10.0.0.1",
    refuses: ["10.0.0", "", "must be of type ipv4"],
  },
  type: {
    markers: ["Type"],
    says: k.boolean().optional(),
    stored: { type: "boolean" },
    accepts: true,
    refuses: ["true", "", "must be of type boolean"],
  },
  intOrString: {
    markers: ["XIntOrString"],
    says: k.intOrString({ pattern: "^[0-9]+%$" }).optional(),
    stored: { "x-kubernetes-int-or-string": true, pattern: "^[0-9]+%$" },
    accepts: "25%",
    refuses: ["many", "", "should match '^[0-9]+%$'"],
  },
  quantity: {
    markers: ["XIntOrString"],
    says: k.quantity().optional(),
    stored: { "x-kubernetes-int-or-string": true },
    accepts: "1.5Gi",
    refuses: ["1.5GiB", "", "should match"],
  },
  embedded: {
    markers: ["XEmbeddedResource", "EmbeddedResource"],
    says: k.embeddedResource().optional(),
    stored: { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    accepts: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { any: "thing" } },
    refuses: [{ kind: "ConfigMap" }, ".apiVersion", "Required value"],
  },
  embeddedWithFields: {
    markers: ["XEmbeddedResource"],
    says: k.embeddedResource({ data: k.map(k.int32()) }).optional(),
    stored: { "x-kubernetes-embedded-resource": true, required: ["data"] },
    accepts: { apiVersion: "a.b/v1", kind: "Counts", metadata: { name: "a" }, data: { a: 1 } },
    refuses: [{ apiVersion: "a.b/v1", kind: "Counts" }, ".data", "Required value"],
  },
  open: {
    markers: ["XPreserveUnknownFields", "pruning:PreserveUnknownFields"],
    says: k.openObject({ known: k.int32() }).optional(),
    stored: { "x-kubernetes-preserve-unknown-fields": true, required: ["known"] },
    accepts: { known: 1, other: { a: [null] } },
    refuses: [{ known: "1" }, ".known", "must be of type integer"],
  },
  opaque: {
    markers: ["XPreserveUnknownFields"],
    says: k.opaque<object>().optional(),
    stored: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    accepts: { a: { b: 1 } },
    refuses: [[], "", "must be of type object"],
  },
  schemaless: {
    markers: ["Schemaless"],
    says: k.json().optional(),
    stored: { "x-kubernetes-preserve-unknown-fields": true },
    accepts: [1, "a", { b: null }],
  },
  rule: {
    markers: ["XValidation(rule,message)"],
    says: k.int32().rule("self % 2 == 0", "must be even").optional(),
    stored: { "x-kubernetes-validations": [{ rule: "self % 2 == 0", message: "must be even" }] },
    accepts: 2,
    refuses: [3, "", "must be even"],
  },
  ruleWithOptions: {
    markers: ["XValidation(messageExpression,reason,fieldPath,optionalOldSelf)"],
    says: k
      .object({ least: k.int32(), most: k.int32() })
      .rule("self.least <= self.most && oldSelf.optMap(old, old.most).orValue(0) <= self.most", "most is too small", {
        messageExpression: "self.most < 0 ? 'most is below zero' : 'most is below least'",
        reason: "FieldValueForbidden",
        fieldPath: ".most",
        optionalOldSelf: true,
      })
      .optional(),
    stored: {
      "x-kubernetes-validations": [
        {
          rule: "self.least <= self.most && oldSelf.optMap(old, old.most).orValue(0) <= self.most",
          message: "most is too small",
          messageExpression: "self.most < 0 ? 'most is below zero' : 'most is below least'",
          reason: "FieldValueForbidden",
          fieldPath: ".most",
          optionalOldSelf: true,
        },
      ],
    },
    accepts: { least: 1, most: 2 },
    refuses: [{ least: 3, most: 2 }, ".most", "Forbidden: most is below least"],
  },
  exactlyOneOf: {
    markers: ["ExactlyOneOf"],
    says: choice.exactlyOneOf("a", "namespace").optional(),
    stored: {
      "x-kubernetes-validations": [
        {
          rule: "[has(self.a), has(self.__namespace__)].filter(isSet, isSet).size() == 1",
          message: "exactly one of a, namespace must be set",
        },
      ],
    },
    accepts: { namespace: "x" },
    refuses: [{ a: "x", namespace: "x" }, "", "exactly one of a, namespace must be set"],
  },
  atMostOneOf: {
    markers: ["AtMostOneOf"],
    says: choice.atMostOneOf("a", "b").optional(),
    stored: {},
    accepts: {},
    refuses: [{ a: "x", b: "x" }, "", "at most one of a, b must be set"],
  },
  atLeastOneOf: {
    markers: ["AtLeastOneOf"],
    says: choice.atLeastOneOf("a", "b").optional(),
    stored: {},
    accepts: { a: "x", b: "x" },
    refuses: [{}, "", "at least one of a, b must be set"],
  },
  fixed: {
    markers: ["k8s:immutable"],
    says: k
      .object({ always: k.int32(), some: k.string({ maxLength: 9 }).optional(), free: k.int32().optional() })
      .immutable("always", "some")
      .optional(),
    stored: {
      "x-kubernetes-validations": [
        { rule: "self.always == oldSelf.always", message: "always is immutable", fieldPath: ".always" },
        {
          rule: "has(self.some) == has(oldSelf.some) && (!has(self.some) || self.some == oldSelf.some)",
          message: "some is immutable",
          fieldPath: ".some",
        },
      ],
    },
    accepts: { always: 1 },
  },
  required: {
    markers: ["Required", "required", "k8s:required"],
    says: k.object({ needed: k.string() }).optional(),
    stored: { required: ["needed"] },
    accepts: { needed: "" },
    refuses: [{}, ".needed", "Required value"],
  },
  optional: {
    markers: ["Optional", "optional", "k8s:optional"],
    says: k.object({ spared: k.string().optional() }).optional(),
    stored: { properties: { spared: { type: "string" } } },
    accepts: {},
  },
  nullable: {
    markers: ["nullable"],
    says: k.string().nullable().optional(),
    stored: { type: "string", nullable: true },
    accepts: null,
    refuses: [1, "", "must be of type string"],
  },
  defaulted: {
    markers: ["default", "kubebuilder:default"],
    says: k.object({ size: k.int32().default(3) }).default({}),
    stored: { default: {}, properties: { size: { default: 3 } } },
    accepts: { size: 4 },
  },
  documented: {
    markers: ["kubebuilder:example", "kubebuilder:title", "kubebuilder:externalDocs"],
    says: k
      .string()
      .describe("What it is.", { title: "It", example: "so", externalDocs: { url: "https://example.com/it" } })
      .optional(),
    stored: {
      description: "What it is.",
      title: "It",
      example: "so",
      externalDocs: { url: "https://example.com/it" },
    },
    accepts: "a",
  },
  set: {
    markers: ["UniqueItems", "listType=set", "k8s:listType"],
    says: k.set(k.string(), { maxItems: 3 }).optional(),
    stored: { "x-kubernetes-list-type": "set", maxItems: 3 },
    accepts: ["a", "b"],
    refuses: [["a", "a"], "[1]", "Duplicate value"],
  },
  listMap: {
    markers: ["listType=map", "listMapKey", "k8s:listMapKey"],
    says: k
      .listMap(k.object({ port: k.int32(), protocol: k.string().default("TCP") }), ["port", "protocol"], {
        maxItems: 3,
      })
      .optional(),
    stored: { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"], maxItems: 3 },
    accepts: [
      { port: 1, protocol: "TCP" },
      { port: 1, protocol: "UDP" },
    ],
    refuses: [[{ port: 1 }, { port: 1 }], "[1]", "Duplicate value"],
  },
  granularMap: {
    markers: ["mapType=granular"],
    says: k.map(k.string()).optional(),
    stored: { type: "object", additionalProperties: { type: "string" } },
    accepts: { a: "b" },
  },
  atomicMap: {
    markers: ["mapType=atomic"],
    says: k.atomic(k.map(k.string())).optional(),
    stored: { "x-kubernetes-map-type": "atomic" },
    accepts: { a: "b" },
  },
  atomicStruct: {
    markers: ["structType=atomic"],
    says: k.atomic(k.object({ a: k.string() })).optional(),
    stored: { "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" } } },
    accepts: { a: "b" },
  },
};
