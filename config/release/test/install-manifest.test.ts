import { findPrograms } from "@trimtab/envtest/programs";
import { beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { crdManifest, installManifest } from "../src/install-manifest.ts";
import { folderOf, membersIn, root, shortName } from "../src/workspace.ts";

const operators = (await membersIn("operators")).map((member) => [
  shortName(member.name),
  `${root}/${folderOf(member)}`,
]);
const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
let kubectl: readonly string[];

beforeAll(async () => {
  kubectl = [(await findPrograms({ names: ["kubectl"] })).kubectl];
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string };
  readonly spec?: {
    readonly template?: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

function parse(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((each) => each.toJS() as Manifest);
}

describe.each(operators)("install.yaml of %s", (name = "", folder = "") => {
  it("is the whole install, with the image that was released and no other", async () => {
    const image = `registry.example.com/team/${name}@${digest}`;
    const manifests = parse(await installManifest({ kubectl, folder, name, image }));
    const images = manifests.flatMap((each) => each.spec?.template?.spec.containers.map((each) => each.image) ?? []);
    expect(images).toEqual([image]);
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["Namespace", "CustomResourceDefinition", "ServiceAccount", "ClusterRole", "Deployment"]),
    );
  });

  it("puts nothing into a namespace that can be in none", async () => {
    const image = `registry.example.com/team/${name}@${digest}`;
    const manifests = parse(await installManifest({ kubectl, folder, name, image }));
    const inNone = /^(Namespace|CustomResourceDefinition|Cluster\w+|ValidatingAdmission\w+)$/;
    const namespaces = manifests.filter(({ kind }) => inNone.test(kind)).map(({ metadata }) => metadata.namespace);
    expect(new Set(namespaces)).toEqual(new Set([undefined]));
  });

  it("is refused for an image that is named by a tag", async () => {
    await expect(installManifest({ kubectl, folder, name, image: `${name}:0.1.0` })).rejects.toThrow(
      "is not an image by its digest",
    );
  });

  it("has its CRDs beside it, and nothing else among them", async () => {
    const kinds = parse(await crdManifest({ kubectl, folder })).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["CustomResourceDefinition"]));
  });
});
