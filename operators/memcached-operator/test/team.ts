import { resolve } from "node:path";
import { Deployment, Pod } from "@trimtab/apimachinery";
import { customResourceDefinition } from "@trimtab/crd";
import { type Team as CommonTeam, teamTest } from "@trimtab/envtest/team";
import { Memcached } from "../src/api/v1alpha1/memcached.ts";

export { patience } from "@trimtab/envtest/team";

const operator = resolve(import.meta.dirname, "..");
const options = {
  operator: "memcached-operator",
  main: resolve(operator, "src/main.ts"),
  roles: resolve(operator, "config/rbac/namespaced/role.yaml"),
  type: Memcached,
  crd: customResourceDefinition(Memcached),
};

/** What tests do with Memcacheds. */
const verbsOf = (team: CommonTeam<Memcached>) => ({
  create: (name: string, spec: { readonly size: number; readonly image?: string }): Promise<Memcached> =>
    team.client.create(Memcached, { metadata: team.key(name), spec }),

  resize: (name: string, size: number): Promise<Memcached> =>
    team.client.mergePatch(Memcached, team.key(name), { spec: { size } }),

  memcached: (name: string): Promise<Memcached> => team.client.get(Memcached, team.key(name)),

  deployment: (name: string): Promise<Deployment> => team.client.get(Deployment, team.key(name)),

  pods: async (): Promise<readonly Pod[]> => (await team.client.list(Pod, { namespace: team.namespace })).items,
});

export type Team = CommonTeam<Memcached> & ReturnType<typeof verbsOf>;

export const it = teamTest(options, verbsOf);
