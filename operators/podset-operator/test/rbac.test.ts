import { resolve } from "node:path";
import { Pod } from "@trimtab/apimachinery";
import type { RoleStage } from "@trimtab/envtest";
import { proveRoles } from "@trimtab/envtest/vitest";
import { PodSet } from "../src/api/v1alpha1/podset.ts";

const operator = resolve(import.meta.dirname, "..");

async function everyRight({ client, home, until, requests }: RoleStage): Promise<void> {
  const set = { namespace: home, name: "set" };
  await client.create(PodSet, { metadata: set, spec: { replicas: 2 } });
  /** The names of its pods, once they are as many, all ready, and not `gone`. */
  const ready = (count: number, gone?: string) =>
    until(async () => {
      const { podNames = [], conditions } = (await client.get(PodSet, set)).status ?? {};
      const isReady = conditions?.some(({ type, status }) => type === "Ready" && status === "True");
      return isReady === true && podNames.length === count && !podNames.includes(gone ?? "") && podNames;
    });
  const [gone = ""] = await ready(2);
  await client.delete(Pod, { namespace: home, name: gone });
  // That it is ready is told twice now, and what is told again is told after ten seconds.
  const [unlabelled = ""] = await ready(2, gone);
  // Without the label a pod is out of the operator's sight, until it looks for it by name.
  await client.mergePatch(Pod, { namespace: home, name: unlabelled }, { metadata: { labels: { version: null } } });
  await until(async () => (await requests()).sent.has("patch pods"));
  await client.mergePatch(PodSet, set, { spec: { replicas: 1 } });
  await ready(1);
  await until(async () => (await requests()).sent.has("patch events.events.k8s.io"));
}

await proveRoles({
  main: resolve(operator, "src/main.ts"),
  crds: resolve(operator, "config/crd/bases"),
  roles: ["namespaced/role.yaml", "leader_election_role.yaml"].map((file) => resolve(operator, "config/rbac", file)),
  scenario: everyRight,
});
