import { customResourceDefinition, type OpenApi } from "@trimtab/crd";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "./every-marker.ts";
import { fieldMarkers } from "./field-markers.ts";
import { complaintsOf, kubectl } from "./kubectl.ts";

const crdName = "things.markers.example.com";
const manifest = customResourceDefinition(...everything);
const rows = Object.entries(fieldMarkers).map(([field, row]) => ({ field, marker: row.markers.join(", "), ...row }));
const refusals = rows.flatMap(({ field, refuses }) => (refuses === undefined ? [] : [[field, ...refuses] as const]));

/** Of controller-gen 0.21, those about fields that say something of a CRD. */
const markersOfFields = [
  ["Maximum", "Minimum", "ExclusiveMaximum", "ExclusiveMinimum", "MultipleOf", "MinProperties", "MaxProperties"],
  ["MaxLength", "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "Enum", "Format", "Type", "items:…"],
  ["XPreserveUnknownFields", "XEmbeddedResource", "XIntOrString", "EmbeddedResource", "Schemaless"],
  ["XValidation(rule,message)", "XValidation(messageExpression,reason,fieldPath,optionalOldSelf)"],
  ["AtMostOneOf", "ExactlyOneOf", "AtLeastOneOf", "k8s:enum", "k8s:immutable", "pruning:PreserveUnknownFields"],
  ["Required", "Optional", "required", "optional", "k8s:required", "k8s:optional", "nullable"],
  ["kubebuilder:default", "default", "kubebuilder:example", "kubebuilder:title", "kubebuilder:externalDocs"],
  ["listType=atomic", "listType=set", "listType=map", "listMapKey", "k8s:listType", "k8s:listMapKey"],
  ["mapType=granular", "mapType=atomic", "structType=atomic"],
].flat();

interface StoredCrd {
  readonly metadata: object;
  readonly spec: { readonly versions: readonly StoredVersion[] };
  readonly status: { readonly conditions: readonly object[]; readonly storedVersions: readonly string[] };
}
interface StoredVersion {
  readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: OpenApi } } };
}

function thingCalled(name: string, spec: object, version = "v1"): object {
  return { apiVersion: `markers.example.com/${version}`, kind: "Thing", metadata: { name }, spec };
}

function kubectlJson(args: readonly string[], input?: object): unknown {
  return JSON.parse(kubectl([...args, "-o=json"], input));
}

function get(path: string): unknown {
  return JSON.parse(kubectl(["get", `--raw=/apis/markers.example.com${path}`]));
}

let crd: StoredCrd;

beforeAll(() => {
  kubectl(["create", "-f=-"], manifest);
  kubectl(["wait", "--for=condition=Established", `crd/${crdName}`]);
  crd = kubectlJson(["get", "crd", crdName]) as StoredCrd;
});
afterAll(() => {
  kubectl(["delete", "crd", crdName]);
});

describe("a CRD that says all that controller-gen's markers say", () => {
  it("leaves out none of those about fields", () => {
    expect(rows.flatMap(({ markers }) => markers).sort()).toEqual(expect.arrayContaining(markersOfFields.sort()));
  });

  it("is taken by the API server", () => {
    expect(crd.status.conditions).toEqual([
      expect.objectContaining({ type: "NamesAccepted", status: "True" }),
      expect.objectContaining({ type: "Established", status: "True" }),
    ]);
  });

  it("is stored as it was written", () => {
    expect(crd.metadata).toMatchObject(manifest.metadata);
    expect(crd.spec).toMatchObject(manifest.spec);
  });

  it.each(rows)("has in its schema what is meant by $marker ($field)", ({ field, stored }) => {
    const { spec } = crd.spec.versions[0]?.schema.openAPIV3Schema.properties ?? {};
    expect(spec?.["properties"]).toMatchObject({ [field]: stored });
  });
});

describe("its objects", () => {
  let complaints: readonly string[];

  beforeAll(() => {
    const items = refusals.map(([field, value]) => thingCalled(field.toLowerCase(), { [field]: value }));
    const list = { apiVersion: "v1", kind: "List", items };
    complaints = complaintsOf(["create", "--validate=false", "-f=-"], list)
      .replaceAll("is invalid: [", "is invalid: ")
      .split("\n");
  });

  it("keep every good value, and get the defaults of those that are left out", () => {
    const accepted = rows.filter(({ accepts }) => accepts !== undefined);
    const spec = Object.fromEntries(accepted.map(({ field, accepts }) => [field, accepts]));
    const object = thingCalled("good", spec);
    expect(kubectlJson(["create", "--validate=strict", "-f=-"], object)).toMatchObject({ spec: { ...spec, size: 1 } });
    const empty = kubectlJson(["create", "-f=-"], { ...thingCalled("empty", {}), spec: undefined });
    expect(empty).toMatchObject({ spec: { size: 1, defaulted: { size: 3 } } });
  });

  it.each(refusals)("are refused, and told of %s, for the value %j at '%s': %s", (field, _value, path, because) => {
    const told = complaints.filter((line) => line.includes(` spec.${field}${path}: `));
    expect(told).toEqual([expect.stringContaining(because)]);
  });

  it("are selected by the fields that their kind names for that", () => {
    const items = [
      thingCalled("small-red", { colour: "red" }),
      thingCalled("red", { colour: "red", size: 7 }),
      thingCalled("blue", { colour: "blue", size: 7 }),
    ];
    kubectl(["create", "-f=-"], { apiVersion: "v1", kind: "List", items });
    const red = ["get", "thing", "-o=name", "--field-selector=spec.colour=red,spec.size=7"];
    expect(kubectl(red)).toBe("thing.markers.example.com/red\n");
    expect(complaintsOf(["get", "thing", "--field-selector=spec.room=x"])).toContain("field label not supported");
  });

  it("are found and shown by all that their kind is called, and scaled", () => {
    kubectl(["create", "-f=-"], thingCalled("shown", { colour: "green" }));
    kubectl(["scale", "evm/shown", "--replicas=5"]);
    const table = (args: readonly string[]) =>
      kubectl(args)
        .trim()
        .split("\n")
        .map((line) => line.split(/\s+/));
    expect(table(["get", "thing", "shown", "-o=wide"])).toEqual([
      ["NAME", "SIZE", "COLOUR"],
      ["shown", "5", "green"],
    ]);
    expect(table(["get", "evm", "shown"])[0]).toEqual(["NAME", "SIZE"]);
    expect(kubectl(["get", "markers", "-o=name"])).toContain("thing.markers.example.com/shown\n");
    expect(get("/v1/things")).toMatchObject({ kind: "ThingCollection" });
  });

  it("keep what must not change, be it there or not", () => {
    const spec = { fixed: { always: 1, some: "a" } };
    kubectl(["create", "-f=-"], thingCalled("fixed", spec));
    const complaintsAbout = (fixed: object) =>
      complaintsOf(["replace", "-f=-"], thingCalled("fixed", { fixed })).match(/spec\.fixed.*/g);
    expect(complaintsAbout({ always: 1, some: "a", free: 1 })).toBeNull();
    const someIsImmutable = ["spec.fixed.some: Invalid value: some is immutable"];
    expect(complaintsAbout({ always: 2, some: "a" })).toEqual([
      "spec.fixed.always: Invalid value: always is immutable",
    ]);
    expect(complaintsAbout({ always: 1, some: "b" })).toEqual(someIsImmutable);
    expect(complaintsAbout({ always: 1 })).toEqual(someIsImmutable);
  });
});

describe("its versions", () => {
  const path = (version: string) => `--raw=/apis/markers.example.com/${version}/things`;

  it("are those that are served, in the order in which clients choose, stored in one", () => {
    const { versions } = get("") as { versions: readonly object[] };
    expect(versions).toMatchObject([{ version: "v1" }, { version: "v1beta1" }, { version: "v1alpha2" }]);
    expect(complaintsOf(["get", path("v1alpha1")])).toContain("NotFound");
    expect(crd.status.storedVersions).toEqual(["v1"]);
  });

  it("warn of those that are deprecated, in their author's words or in the API server's", () => {
    expect(complaintsOf(["get", path("v1beta1")])).toBe(
      "Warning: markers.example.com/v1beta1 Thing goes away: use v1\n",
    );
    expect(complaintsOf(["get", path("v1alpha2")])).toBe(
      "Warning: markers.example.com/v1alpha2 Thing is deprecated; use markers.example.com/v1 Thing\n",
    );
    expect(complaintsOf(["get", path("v1")])).toBe("");
  });

  it("show an object that was written in another, as that other stores it", () => {
    kubectl(["create", "-f=-"], thingCalled("old", { colour: "grey", unknown: 1 }, "v1beta1"));
    expect(kubectlJson(["get", "thing", "old"])).toMatchObject({
      apiVersion: "markers.example.com/v1",
      spec: { colour: "grey", size: 1 },
    });
  });
});
