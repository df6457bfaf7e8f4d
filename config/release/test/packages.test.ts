import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { describe, expect, inject, it } from "vitest";

const isPlatform = (name: string): boolean => name.startsWith("@trimtab/control-plane-");
const tarballs = Object.entries(inject("tarballs"));

/** Packages are ES modules for Node 24, which `require` can load: what older resolvers make of them is nobody's loss. */
const unsupported: ReadonlySet<unknown> = new Set(["node10", "node16-cjs"]);

function concerns(problem: Problem): boolean {
  return !("resolutionKind" in problem && unsupported.has(problem.resolutionKind));
}

function filesIn(tarball: string): readonly string[] {
  return execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
    .trimEnd()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
}

type Manifest = Readonly<Record<string, unknown>>;

const manifests = new Map<string, Manifest>();

/** Tarballs of programs are large: each is read once. */
function manifestIn(tarball: string): Manifest {
  const read = manifests.get(tarball);
  if (read !== undefined) return read;
  const text = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
  const manifest: Manifest = JSON.parse(text);
  manifests.set(tarball, manifest);
  return manifest;
}

describe.each(tarballs.filter(([name]) => !isPlatform(name)))("%s, packed", (name, tarball) => {
  it("has types that every supported resolver finds", async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
    expect(analysis.types).toMatchObject({ kind: "included" });
    expect("problems" in analysis ? analysis.problems.filter(concerns) : analysis).toEqual([]);
  });

  it("gives publint nothing to remark on", async () => {
    const { messages } = await publint({
      pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  it("holds what users need, and no sources, tests or settings", () => {
    const kept = name === "@trimtab/envtest" ? /^(dist\/|go\/(go\.(mod|sum)|\w+\.go)$)/ : /^dist\//;
    const files = filesIn(tarball).filter((path) => !kept.test(path));
    expect(files.sort()).toEqual(["LICENSE", "README.md", "package.json"]);
    expect(filesIn(tarball).filter((path) => /\.test(-d)?\./.test(path))).toEqual([]);
  });

  it("has no export condition that only this repository knows, and no dependency of its workspace", () => {
    const { exports, dependencies } = manifestIn(tarball);
    expect(JSON.stringify(exports)).not.toContain("@trimtab/source");
    expect(JSON.stringify(dependencies)).not.toMatch(/workspace:|catalog:/);
  });
});

describe.each(tarballs.filter(([name]) => isPlatform(name)))("%s, packed", (name, tarball) => {
  it("is installed on its own kind of machine only", () => {
    const { os, cpu } = manifestIn(tarball);
    expect(name).toBe(`@trimtab/control-plane-${os}-${cpu}`);
  });

  it("has the version that envtest asks for", () => {
    const { optionalDependencies } = manifestIn(inject("tarballs")["@trimtab/envtest"] ?? "");
    expect(optionalDependencies).toMatchObject({ [name]: manifestIn(tarball)["version"] });
  });
});

it("shares one version with all other packages", () => {
  expect(new Set(tarballs.map(([, tarball]) => manifestIn(tarball)["version"])).size).toBe(1);
});
