import { resolve } from "node:path";
import { Namespace, type ObjectKey, Secret } from "@trimtab/apimachinery";
import { type Created, ignoreNotFound } from "@trimtab/client";
import { customResourceDefinition } from "@trimtab/crd";
import { type Team as CommonTeam, patience, teamTest } from "@trimtab/envtest/team";
import { expect } from "vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { copyName } from "../src/copy/copy-name.ts";

export { patience } from "@trimtab/envtest/team";

const operator = resolve(import.meta.dirname, "..");
export const crd = customResourceDefinition(MultiSecret);
const options = {
  operator: "secret-operator",
  main: resolve(operator, "src/main.ts"),
  roles: resolve(operator, "config/rbac/role.yaml"),
  type: MultiSecret,
  crd,
  beside: ["near", "far", "late"],
  later: ["late"],
  leave: freeAll,
};

async function freeAll({ client, namespace }: CommonTeam<MultiSecret>): Promise<void> {
  const { items } = await client.list(MultiSecret, { namespace });
  for (const { metadata } of items)
    await client.mergePatch(MultiSecret, { namespace, name: metadata.name }, { metadata: { finalizers: null } });
}

/** What tests do with MultiSecrets, which are in `home`, and with their copies. */
const verbsOf = (team: CommonTeam<MultiSecret>) => {
  const { client, namespace: home } = team;
  const copyKey = (name: string, namespace: string): Required<ObjectKey> => ({
    namespace,
    name: copyName(team.key(name)),
  });
  const copy = (name: string, namespace: string): Promise<Secret | undefined> =>
    ignoreNotFound(client.get(Secret, copyKey(name, namespace)));
  const multiSecret = (name: string): Promise<MultiSecret> => client.get(MultiSecret, team.key(name));

  return {
    home,
    near: team.beside("near"),
    far: team.beside("far"),
    /** Not there yet, but looked after already. */
    late: team.beside("late"),
    copyKey,
    copy,
    multiSecret,

    createNamespace: (name: string, labels: Readonly<Record<string, string>> = {}): Promise<Namespace> =>
      client.create(Namespace, { metadata: { name, labels } }),

    label: (namespace: string, labels: Readonly<Record<string, string | null>>): Promise<Namespace> =>
      client.mergePatch(Namespace, { name: namespace }, { metadata: { labels } }),

    create: (
      name: string,
      spec: Created<MultiSecret>["spec"] = { stringData: { user: "sample" } },
      metadata: Created<MultiSecret>["metadata"] = {},
    ): Promise<MultiSecret> => {
      const object = { metadata: { ...metadata, ...team.key(name) }, spec };
      return client.create(MultiSecret, object as Created<MultiSecret>);
    },

    edit: (name: string, patch: object): Promise<MultiSecret> => client.mergePatch(MultiSecret, team.key(name), patch),

    editCopy: (name: string, namespace: string, patch: object): Promise<Secret> =>
      client.mergePatch(Secret, copyKey(name, namespace), patch),

    /** What a copy holds, as text; `undefined` where there is none. */
    content: async (name: string, namespace: string): Promise<Readonly<Record<string, string>> | undefined> => {
      const held = await copy(name, namespace);
      const entries = Object.entries(held?.data ?? {});
      return held && Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]));
    },

    /** The namespaces that hold a copy. */
    holders: async (name: string): Promise<readonly string[]> => {
      const copies = await Promise.all(team.namespaces.map((namespace) => copy(name, namespace)));
      return team.namespaces.filter((_, index) => copies[index] !== undefined);
    },

    /** A Secret of the copy's name that is somebody else's. */
    foreign: (name: string, namespace: string): Promise<Secret> => {
      const data = { theirs: Buffer.from("theirs").toString("base64") };
      return client.create(Secret, { metadata: copyKey(name, namespace), data });
    },

    /** Resolves once a MultiSecret is gone. */
    gone: async (name: string): Promise<void> => {
      await expect.poll(() => ignoreNotFound(multiSecret(name)), patience).toBeUndefined();
    },
  };
};

export type Team = CommonTeam<MultiSecret> & ReturnType<typeof verbsOf>;

export const it = teamTest(options, verbsOf);
