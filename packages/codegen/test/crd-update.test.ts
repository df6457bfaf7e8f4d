import { customResource, customResourceDefinition, k } from "@trimtab/crd";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, kubectl } from "./kubectl.ts";

const names = { group: "update.example.com", kind: "Jar", plural: "jars" } as const;
const status = k.object({ lids: k.int32() });
const original = customResource({ ...names, version: "v1", spec: k.object({ size: k.int32() }), status });
const withColour = customResource({
  ...names,
  version: "v1",
  spec: k.object({ size: k.int32(), colour: k.string().default("green") }),
  status,
});

interface Jar {
  readonly metadata: { readonly generation: number; readonly resourceVersion: string };
  readonly spec: object;
  readonly status?: object;
}

function jar(spec: object, status?: object): object {
  return {
    apiVersion: "update.example.com/v1",
    kind: "Jar",
    metadata: { name: "jar" },
    spec,
    ...(status && { status }),
  };
}
const read = (name = "jar/jar"): Jar => JSON.parse(kubectl(["get", name, "-o=json"]));
const apply = ["apply", "--server-side", "-f=-"];

beforeAll(() => {
  kubectl(apply, customResourceDefinition(original));
  kubectl(["wait", "--for=condition=Established", "crd/jars.update.example.com"]);
  kubectl(["create", "-f=-"], jar({ size: 1 }));
});
afterAll(() => {
  kubectl(["delete", "crd", "jars.update.example.com"]);
});

describe("a CRD that is applied", () => {
  it("changes nothing when it is applied again", () => {
    const before = read("crd/jars.update.example.com");
    kubectl(apply, customResourceDefinition(original));
    expect(read("crd/jars.update.example.com").metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it("keeps the status apart: it is written alone, and does not count as a change of what is wanted", () => {
    kubectl(["replace", "-f=-"], jar({ size: 2 }, { lids: 1 }));
    expect(read()).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 } });
    expect(read().status).toBeUndefined();
    kubectl(["replace", "--subresource=status", "-f=-"], jar({ size: 9 }, { lids: 2 }));
    expect(read()).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 }, status: { lids: 2 } });
  });

  it("gives a default that came later to what was stored before, without a write", async () => {
    const before = read();
    kubectl(apply, customResourceDefinition(withColour));
    await expect.poll(() => read().spec, { timeout: 20_000 }).toEqual({ size: 2, colour: "green" });
    expect(read().metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it("cannot leave out a version that objects may be stored in", () => {
    const next = customResource({
      ...names,
      version: "v2",
      storage: true,
      spec: k.object({ size: k.int32() }),
      status,
    });
    const both = customResourceDefinition({ ...withColour, served: false, storage: false }, next);
    expect(complaintsOf(apply, customResourceDefinition(next))).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions',
    );
    kubectl(apply, both);
    expect(read("crd/jars.update.example.com").status).toMatchObject({ storedVersions: ["v1", "v2"] });
  });

  it("may be larger than an annotation, if the server applies it", () => {
    const wordy = customResource({
      ...names,
      kind: "Cask",
      plural: "casks",
      version: "v1",
      spec: k.object({ size: k.int32().describe("a long story ".repeat(30_000)) }),
    });
    const manifest = customResourceDefinition(wordy);
    expect(complaintsOf(["apply", "--dry-run=server", "-f=-"], manifest)).toContain("metadata.annotations: Too long");
    expect(complaintsOf([...apply, "--dry-run=server"], manifest)).toBe("");
  });
});

describe("what several appliers write", () => {
  const Shelf = customResource({
    ...{ group: "update.example.com", version: "v1", kind: "Shelf", plural: "shelves" },
    spec: k.object({
      words: k.list(k.string()).optional(),
      tags: k.set(k.string()).optional(),
      ports: k.listMap(k.object({ name: k.string(), number: k.int32() }), ["name"]).optional(),
      labels: k.map(k.string()).optional(),
      selector: k.atomic(k.map(k.string())).optional(),
    }),
  });
  const applyAs = (manager: string, spec: object, ...options: string[]): string =>
    complaintsOf([...apply, `--field-manager=${manager}`, ...options], {
      ...{ apiVersion: "update.example.com/v1", kind: "Shelf", metadata: { name: "shelf" } },
      spec,
    });

  beforeAll(() => {
    kubectl(apply, customResourceDefinition(Shelf));
    kubectl(["wait", "--for=condition=Established", "crd/shelves.update.example.com"]);
  });
  afterAll(() => {
    kubectl(["delete", "crd", "shelves.update.example.com"]);
  });

  it("is put together in sets, list maps and maps, and is one's own in lists and what is atomic", () => {
    const shared = { tags: ["a"], ports: [{ name: "a", number: 1 }], labels: { a: "1" } };
    expect(applyAs("one", { ...shared, words: ["a"], selector: { a: "1" } })).toBe("");
    const others = { tags: ["b"], ports: [{ name: "b", number: 2 }], labels: { b: "2" } };
    const refusal = applyAs("other", { ...others, words: ["b"], selector: { b: "2" } });
    expect(refusal.match(/(?<=^- )\..*/gm)?.sort()).toEqual([".spec.selector", ".spec.words"]);
    expect(applyAs("other", others)).toBe("");
    expect(read("shelf/shelf").spec).toEqual({
      tags: ["a", "b"],
      ports: [
        { name: "a", number: 1 },
        { name: "b", number: 2 },
      ],
      labels: { a: "1", b: "2" },
      words: ["a"],
      selector: { a: "1" },
    });
  });
});
