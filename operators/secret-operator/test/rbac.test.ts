import { resolve } from "node:path";
import { Secret } from "@trimtab/apimachinery";
import { ignoreNotFound } from "@trimtab/client";
import type { RoleStage } from "@trimtab/envtest";
import { proveRoles } from "@trimtab/envtest/vitest";
import { MultiSecret } from "../src/api/v1alpha1/multisecret.ts";
import { ownerUidLabel } from "../src/copy/copy.ts";
import { copyName } from "../src/copy/copy-name.ts";

const operator = resolve(import.meta.dirname, "..");

async function everyRight({ client, home, away, until, requests }: RoleStage): Promise<void> {
  const sample = { namespace: home, name: "sample" };
  const copy = { namespace: away, name: copyName(sample) };
  const absent = async (key: typeof copy) => (await ignoreNotFound(client.get(Secret, key))) === undefined;
  const held = (uid?: string) =>
    until(async () => {
      const found = await client.get(Secret, copy);
      return found.metadata.uid !== uid && found.data?.["user"] !== undefined && found;
    });
  await client.create(MultiSecret, { metadata: sample, spec: { stringData: { user: "sample" } } });
  let last = await held();
  await client.mergePatch(Secret, copy, { data: { user: "YQ==" } });
  await until(async () => (await client.get(Secret, copy)).data?.["user"] !== "YQ==");
  // What is done again is told again, after ten seconds.
  for (let time = 1; time <= 2; time += 1) {
    await client.delete(Secret, copy);
    last = await held(last.metadata.uid);
  }
  // Without the label a copy is out of the operator's sight, until it looks for it by name.
  await client.mergePatch(Secret, copy, { metadata: { labels: { [ownerUidLabel]: null } } });
  await until(async () => (await client.get(Secret, copy)).metadata.labels?.[ownerUidLabel] !== undefined);
  // A copy that never had an owner: that is asked for.
  const { metadata, data = {} } = await client.get(Secret, copy);
  const orphan = { namespace: away, name: `nobody.${home}.multisec` };
  const annotations = { ...metadata.annotations, "multisecrets.multi.ddnw.ml/owner": "nobody" };
  await client.create(Secret, { metadata: { ...orphan, labels: { ...metadata.labels }, annotations }, data });
  await until(() => absent(orphan));
  await until(async () => (await requests()).sent.has("patch events.events.k8s.io"));
  await client.delete(MultiSecret, sample);
  await until(() => absent(copy));
  await until(async () => (await ignoreNotFound(client.get(MultiSecret, sample))) === undefined);
}

await proveRoles({
  main: resolve(operator, "src/main.ts"),
  crds: resolve(operator, "config/crd/bases"),
  roles: ["role.yaml", "leader_election_role.yaml"].map((file) => resolve(operator, "config/rbac", file)),
  scenario: everyRight,
});
