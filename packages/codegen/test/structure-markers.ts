import { k } from "@trimtab/crd";
import type { FieldMarker } from "./field-marker.ts";

const choice = k.object({ a: k.string().optional(), b: k.string().optional(), namespace: k.string().optional() });

/** The markers of rules, of presence and of how lists and maps are merged, by the name of a field of a custom resource. */
export const structureMarkers: Readonly<Record<string, FieldMarker>> = {
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
