import { resolve } from "node:path";
import { Deployment, Pod } from "@trimtab/apimachinery";
import type { RoleStage } from "@trimtab/envtest";
import { proveRoles } from "@trimtab/envtest/vitest";
import { Memcached } from "../src/api/v1alpha1/memcached.ts";

const operator = resolve(import.meta.dirname, "..");

async function everyRight({ client, home, until, requests }: RoleStage): Promise<void> {
  const cache = { namespace: home, name: "cache" };
  await client.create(Memcached, { metadata: cache, spec: { size: 2 } });
  const ready = (size: number) =>
    until(async () => {
      const { nodes = [], conditions } = (await client.get(Memcached, cache)).status ?? {};
      const isReady = conditions?.some(({ type, status }) => type === "Ready" && status === "True");
      return isReady === true && nodes.length === size && nodes;
    });
  const [gone = ""] = await ready(2);
  await client.delete(Pod, { namespace: home, name: gone });
  await client.mergePatch(Memcached, cache, { spec: { size: 3 } });
  await ready(3);
  // Without its labels the Deployment is out of the operator's sight, until it looks for it by name.
  await client.mergePatch(Deployment, cache, { metadata: { labels: null } });
  await until(async () => (await client.get(Deployment, cache)).metadata.labels);
  // What is told again is told once in ten seconds.
  await until(async () => (await requests()).sent.has("patch events.events.k8s.io"));
}

await proveRoles({
  main: resolve(operator, "src/main.ts"),
  crds: resolve(operator, "config/crd/bases"),
  roles: ["namespaced/role.yaml", "leader_election_role.yaml"].map((file) => resolve(operator, "config/rbac", file)),
  scenario: everyRight,
});
