import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Deployment, Pod } from "@trimtab/apimachinery";
import { auditEvents } from "@trimtab/envtest/vitest";
import { describe, expect } from "vitest";
import { it, patience, type Team } from "./team.ts";

const role = resolve(import.meta.dirname, "../config/rbac/role.yaml");

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** A kubeconfig for a service account that may do in its namespace what the role says, and nothing else. */
async function kubeconfigOf(team: Team, directory: string): Promise<string> {
  await team.kubectl("create", "serviceaccount", "operator");
  await team.kubectl("apply", "--server-side", `--filename=${role}`);
  const subject = `--serviceaccount=${team.namespace}:operator`;
  await team.kubectl("create", "rolebinding", "operator", "--clusterrole=memcached-operator", subject);
  const token = (await team.kubectl("create", "token", "operator")).trim();
  const config = JSON.parse(await team.kubectl("config", "view", "--raw", "--flatten", "--minify", "--output=json"));
  config.users = [{ name: config.contexts[0].context.user, user: { token } }];
  const path = join(directory, "kubeconfig");
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}

/** `verb resource` of each request that the operator has sent for this namespace, and those that were refused. */
async function requests({
  namespace,
}: Team): Promise<{ readonly sent: ReadonlySet<string>; readonly refused: string[] }> {
  const user = `system:serviceaccount:${namespace}:operator`;
  const own = (await auditEvents()).filter((event) => event.user.username === user);
  const name = ({ verb, objectRef = {} }: (typeof own)[number]) =>
    `${verb} ${[objectRef.resource, objectRef.subresource].filter(Boolean).join("/")}`;
  return {
    sent: new Set(own.map(name)),
    refused: own.filter(({ responseStatus }) => responseStatus?.code === 403).map(name),
  };
}

describe("config/rbac/role.yaml", () => {
  it("allows all that the operator does, and nothing that it never does", async ({ team }) => {
    const directory = await mkdtemp(join(tmpdir(), "trimtab-memcached-"));
    try {
      const kubeconfigPath = await kubeconfigOf(team, directory);
      await team.startOperator(kubeconfigPath);
      await team.create("cache", { size: 2 });
      const [gone = ""] = (await team.ready("cache")).status?.nodes ?? [];
      await team.client.delete(Pod, team.key(gone));
      await team.resize("cache", 3);
      await team.ready("cache");
      // Without its labels the Deployment is out of the operator's sight, until it looks for it by name.
      await team.client.mergePatch(Deployment, team.key("cache"), { metadata: { labels: null } });
      await expect.poll(async () => (await team.deployment("cache")).metadata.labels, patience).toBeDefined();
      await expect.poll(async () => [...(await requests(team)).sent], patience).toContain("patch events");
    } finally {
      await rm(directory, { recursive: true });
    }
    const { sent, refused } = await requests(team);
    expect(refused).toEqual([]);
    const { rules } = JSON.parse(
      await team.kubectl("create", "--dry-run=client", "--output=json", `--filename=${role}`),
    );
    // Lists are for API servers that cannot begin a watch with what there is; the finalizers rule is for an admission plugin.
    const unseen = /^(list |update memcacheds\/finalizers$)/;
    const allowed = (rules as Rule[])
      .flatMap(({ resources, verbs }) => verbs.map((verb) => `${verb} ${resources[0]}`))
      .filter((rule) => !unseen.test(rule));
    expect([...sent].sort()).toEqual(allowed.sort());
  });
});
