import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { ConfigMap, Namespace, Pod, ServiceAccount } from "@trimtab/apimachinery";
import { type Client, createClient, isApiError, loadConnection } from "@trimtab/client";
import { type ControlPlane, createNamespace, serviceAccountKubeconfig, startControlPlane } from "@trimtab/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let controlPlane: ControlPlane;
let client: Client;
const run = promisify(execFile);
const patience = { timeout: 20_000 };
const userAgent = "control-plane-test";

async function connect(kubeconfig: string): Promise<Client> {
  const connection = await loadConnection({ kubeconfig, env: {} });
  return createClient({ connection, userAgent, fieldManager: userAgent });
}

async function kubectl(...args: readonly string[]): Promise<string> {
  const [program = "", ...leading] = controlPlane.kubectl;
  const { stdout } = await run(program, [...leading, `--kubeconfig=${controlPlane.kubeconfigPath}`, ...args]);
  return stdout;
}

function canList(reader: Client, namespace: string): Promise<boolean> {
  return reader.list(ConfigMap, { namespace }).then(
    () => true,
    () => false,
  );
}

beforeAll(async () => {
  controlPlane = await startControlPlane();
  client = await connect(controlPlane.kubeconfigPath);
});
afterAll(async () => {
  client.close();
  await controlPlane.stop();
});

describe("a control plane", () => {
  it("lets pods into its default namespace as soon as it has started", async () => {
    const spec = { containers: [{ name: "main", image: "busybox" }] };
    await client.create(Pod, { metadata: { namespace: "default", name: "first" }, spec });
  });

  it("lets pods into a namespace as soon as createNamespace has made it", async () => {
    const namespace = await createNamespace(client, { prefix: "new", labels: { team: "a" } });
    const spec = { containers: [{ name: "main", image: "busybox" }] };
    await client.create(Pod, { metadata: { namespace, name: "first" }, spec });
    expect(namespace).toMatch(/^new-/);
    expect((await client.get(Namespace, { name: namespace })).metadata.labels).toMatchObject({ team: "a" });
  });

  it("gives a service account just the rights that RBAC gives it", async () => {
    const namespace = await createNamespace(client);
    await client.create(ServiceAccount, { metadata: { namespace, name: "reader" } });
    const { kubeconfigPath } = controlPlane;
    const reader = await connect(await serviceAccountKubeconfig({ kubeconfigPath, namespace, name: "reader" }));
    await expect(reader.list(ConfigMap, { namespace })).rejects.toSatisfy((error) => isApiError(error, "Forbidden"));
    const inNamespace = ["-n", namespace];
    await kubectl("create", "role", "read", "--verb=list", "--resource=configmaps", ...inNamespace);
    await kubectl(
      "create",
      "rolebinding",
      "read",
      "--role=read",
      `--serviceaccount=${namespace}:reader`,
      ...inNamespace,
    );
    // The authorizer learns of it by a watch of its own.
    await expect.poll(() => canList(reader, namespace), patience).toBe(true);
    await expect(reader.create(ConfigMap, { metadata: { namespace, name: "no" } })).rejects.toSatisfy((error) =>
      isApiError(error, "Forbidden"),
    );
    reader.close();
  });

  it("fills the cluster roles that others are aggregated into", async () => {
    await expect
      .poll(() => kubectl("get", "clusterrole", "view", "-o=jsonpath={.rules}"), patience)
      .toMatch(/configmaps/);
  });

  it("holds namespaces to their quotas", async () => {
    const namespace = await createNamespace(client);
    await kubectl("create", "quota", "few", "--hard=configmaps=1", "-n", namespace);
    const used = (): Promise<string> => kubectl("get", "quota", "few", "-n", namespace, "-o=jsonpath={.status.used}");
    await expect.poll(used, patience).toMatch(/configmaps/);
    const create = async (name: string): Promise<unknown> =>
      client.create(ConfigMap, { metadata: { namespace, name } });
    await create("one");
    await expect(create("two")).rejects.toThrow(/exceeded quota: few/);
  });

  it("says which account has no token to be had", async () => {
    const { kubeconfigPath } = controlPlane;
    const kubeconfig = serviceAccountKubeconfig({ kubeconfigPath, namespace: "default", name: "nobody" });
    await expect(kubeconfig).rejects.toThrow(/^no token for service account default\/nobody: 404/);
  });

  it("has every request that was answered in its audit events, once", async () => {
    const namespace = await createNamespace(client);
    for (let n = 0; n < 50; n++) await client.create(ConfigMap, { metadata: { namespace, name: `map-${n}` } });
    const events = (await controlPlane.auditEvents()).filter(
      (event) => event.userAgent === userAgent && event.objectRef?.namespace === namespace,
    );
    const creates = events.filter(({ verb, objectRef }) => verb === "create" && objectRef?.resource === "configmaps");
    expect(creates.map(({ objectRef }) => objectRef?.name)).toEqual(Array.from({ length: 50 }, (_, n) => `map-${n}`));
    expect(new Set(events.map(({ auditID }) => auditID)).size).toBe(events.length);
    expect(creates[0]).toMatchObject({
      stage: "ResponseComplete",
      responseStatus: { code: 201 },
      user: { username: "admin" },
    });
  });

  it("keeps its data, address and credentials when its API server is stopped and started", async () => {
    const namespace = await createNamespace(client);
    await client.create(ConfigMap, { metadata: { namespace, name: "kept" }, data: { answer: "42" } });
    await controlPlane.apiServer.stop();
    await expect(client.get(ConfigMap, { namespace, name: "kept" })).rejects.toThrow(/ECONNREFUSED|reset|closed/);
    expect((await controlPlane.auditEvents()).length).toBeGreaterThan(0);
    await controlPlane.apiServer.start();
    expect((await client.get(ConfigMap, { namespace, name: "kept" })).data).toEqual({ answer: "42" });
  });

  it("lets pods run again after its API server was away", async () => {
    const namespace = await createNamespace(client);
    const spec = { containers: [{ name: "main", image: "busybox" }] };
    await client.create(Pod, { metadata: { namespace, name: "late" }, spec });
    await expect
      .poll(async () => (await client.get(Pod, { namespace, name: "late" })).status?.phase, patience)
      .toBe("Running");
  });

  it("answers nothing while its API server is paused, and all once it is resumed", async () => {
    controlPlane.apiServer.pause();
    const answer = client.get(Namespace, { name: "default" });
    const early = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 200, "nothing"))]);
    expect(early).toBe("nothing");
    controlPlane.apiServer.resume();
    expect((await answer).metadata.name).toBe("default");
  });

  it("lets pods in, which stay pending, where there are neither controllers nor a kubelet; ends even when paused", async () => {
    const own = await startControlPlane({ controllers: [], kubelet: false });
    const ownClient = await connect(own.kubeconfigPath);
    const spec = { containers: [{ name: "main", image: "busybox" }] };
    const pod = await ownClient.create(Pod, { metadata: { namespace: "default", name: "first" }, spec });
    expect(pod.status?.phase).toBe("Pending");
    ownClient.close();
    own.apiServer.pause();
    await own.stop();
    expect(existsSync(own.kubeconfigPath)).toBe(false);
  });

  it("refuses to start with a flag that kube-apiserver refuses, in its words, and leaves nothing", async () => {
    const start = startControlPlane({ enableAdmissionPlugins: ["NoSuchPlugin"] });
    await expect(start).rejects.toThrow(/^kube-apiserver ended \(exit code 1\):.*NoSuchPlugin/s);
  });

  it.each([0, 100, 300, 600])("ends its start with the signal's reason when that aborts after %i ms", async (ms) => {
    const stop = new AbortController();
    const onProgress = (): unknown => setTimeout(() => stop.abort(new Error("enough")), ms);
    await expect(startControlPlane({ signal: stop.signal, onProgress })).rejects.toThrow("enough");
  });
});
