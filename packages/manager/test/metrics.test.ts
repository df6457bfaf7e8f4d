import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { type KubeObject, type ResourceType, ServiceAccount } from "@trimtab/apimachinery";
import { type Created, loadConnection } from "@trimtab/client";
import { freePort, serviceAccountKubeconfig } from "@trimtab/envtest";
import { describe, expect } from "vitest";
import { selfSignedCertificate } from "../src/self-signed-certificate.ts";
import { it, type Playground, patience } from "./toy.ts";

const ClusterRole = cluster("ClusterRole", "clusterroles");
const ClusterRoleBinding = cluster("ClusterRoleBinding", "clusterrolebindings");

function cluster(kind: string, plural: string): ResourceType {
  return { group: "rbac.authorization.k8s.io", version: "v1", kind, plural, scope: "Cluster" };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Whom the certificate names. */
  readonly server: string;
}

function scrape(port: number, authorization?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = httpsRequest(
      {
        port,
        path: "/metrics",
        rejectUnauthorized: false,
        agent: false,
        headers: authorization === undefined ? {} : { authorization },
      },
      async (response) => {
        const { subject } = (response.socket as TLSSocket).getPeerCertificate();
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const server = String(subject.CN);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), server });
      },
    );
    call.on("error", reject);
    call.end();
  });
}

/** The authorization header of a service account that may get /metrics, or may not. */
async function authorizationOf(
  { client, namespace, kubeconfigPath }: Playground,
  name: string,
  may: boolean,
): Promise<string> {
  await client.create(ServiceAccount, { metadata: { name, namespace } });
  if (may) {
    const role = `${namespace}-metrics-reader`;
    const rules = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];
    const subjects = [{ kind: "ServiceAccount", name, namespace }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role };
    await client.create(ClusterRole, { metadata: { name: role }, rules } as Created<KubeObject>);
    await client.create(ClusterRoleBinding, { metadata: { name: role }, subjects, roleRef } as Created<KubeObject>);
  }
  const connection = await loadConnection({
    kubeconfig: await serviceAccountKubeconfig({ kubeconfigPath, namespace, name }),
    env: {},
  });
  return (await connection.headers?.({ renew: false }))?.["authorization"] ?? "";
}

/** Of `/metrics`, each series with its value. */
function seriesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

describe("the metrics of an operator", () => {
  it("bear the names and labels that dashboards for Go operators know", async ({ playground }) => {
    const port = await freePort();
    await playground.start({ flags: [`--metrics-bind-address=127.0.0.1:${port}`, "--metrics-secure=false"] });
    await playground.ask("one");
    await playground.copied("one");
    const get = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const succeeded = 'controller_runtime_reconcile_total{controller="configmap",result="success"}';
    await expect.poll(async () => seriesOf(await get()).get(succeeded), patience).toBeGreaterThan(0);

    const text = await get();
    const series = seriesOf(text);
    const { host } = new URL((await loadConnection({ kubeconfig: playground.kubeconfigPath, env: {} })).server);
    for (const name of [
      'controller_runtime_reconcile_errors_total{controller="configmap"}',
      'controller_runtime_terminal_reconcile_errors_total{controller="configmap"}',
      'controller_runtime_reconcile_time_seconds_count{controller="configmap"}',
      'controller_runtime_max_concurrent_reconciles{controller="configmap"}',
      'controller_runtime_active_workers{controller="configmap"}',
      'workqueue_depth{name="configmap"}',
      'workqueue_adds_total{name="configmap"}',
      'workqueue_queue_duration_seconds_count{name="configmap"}',
      'workqueue_work_duration_seconds_count{name="configmap"}',
      'workqueue_retries_total{name="configmap"}',
      'workqueue_unfinished_work_seconds{name="configmap"}',
      'workqueue_longest_running_processor_seconds{name="configmap"}',
      `rest_client_requests_total{code="201",method="POST",host="${host}"}`,
      `rest_client_request_duration_seconds_count{verb="POST",host="${host}"}`,
      'leader_election_master_status{name="toy-operator-leader"}',
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "process_start_time_seconds",
      "nodejs_eventloop_lag_seconds",
    ])
      expect([...series.keys()]).toContain(name);
    expect(series.get('leader_election_master_status{name="toy-operator-leader"}')).toBe(1);
    expect(series.get('controller_runtime_max_concurrent_reconciles{controller="configmap"}')).toBe(8);
  });

  it("are off by default", async ({ playground }) => {
    const toy = await playground.start();
    expect((await toy.probe("/metrics")).status).toBe(404);
  });

  it("are told over TLS to who may get them, and to nobody else", async ({ playground }) => {
    const port = await freePort();
    await playground.start({ flags: [`--metrics-bind-address=127.0.0.1:${port}`] });
    const [reader, stranger] = await Promise.all([
      authorizationOf(playground, "reader", true),
      authorizationOf(playground, "stranger", false),
    ]);
    const answer = await scrape(port, reader);
    expect(answer).toMatchObject({ status: 200, server: "toy-operator" });
    expect(answer.body).toContain("controller_runtime_reconcile_total");
    expect((await scrape(port)).status).toBe(401);
    expect((await scrape(port, "Bearer made.up.token")).status).toBe(401);
    expect((await scrape(port, stranger)).status).toBe(403);
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });

  it("are served under the certificate that is given, and under its successor", { timeout: 60_000 }, async ({
    playground,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "toy-"));
    const give = async (name: string): Promise<void> => {
      const { cert, key } = selfSignedCertificate(name);
      await writeFile(join(folder, "tls.key"), key);
      await writeFile(join(folder, "tls.crt"), cert);
    };
    await give("first");
    const port = await freePort();
    await playground.start({ flags: [`--metrics-bind-address=127.0.0.1:${port}`, `--metrics-cert-path=${folder}`] });
    expect(await scrape(port)).toMatchObject({ status: 401, server: "first" });
    await give("second");
    await expect.poll(async () => (await scrape(port)).server, { ...patience, timeout: 30_000 }).toBe("second");
    await rm(folder, { recursive: true });
  });
});
