import type { Deployment, Pod } from "@trimtab/apimachinery";
import { freePort } from "@trimtab/envtest";
import { describe, expect, it } from "vitest";
import { askForMetrics } from "./ask-for-metrics.ts";
import { useCluster } from "./cluster.ts";
import { componentPath, type OperatorName, operators, pathOf, sampleOf } from "./operators.ts";
import { withOverlay } from "./render.ts";

const cluster = useCluster();
/** Real processes, a dozen of them a test. */
const unhurried = { timeout: 120_000 };
const patience = { timeout: 40_000, interval: 300 };

interface Items<T> {
  readonly items: readonly T[];
}

async function deploymentOf(operator: OperatorName): Promise<Deployment> {
  return cluster().get(`deployment/${operator}-controller-manager`, `--namespace=${operator}-system`);
}

async function podsOf(operator: OperatorName): Promise<readonly Pod[]> {
  return (await cluster().get<Items<Pod>>("pods", `--namespace=${operator}-system`)).items;
}

/** `kind/name resourceVersion` of all that a folder renders to. */
async function versionsOf(folder: string): Promise<readonly string[]> {
  const { items } = await cluster().get<Items<Pod>>(`--kustomize=${folder}`);
  return items.map(({ kind, metadata }) => `${kind}/${metadata.name} ${metadata.resourceVersion}`);
}

/** Lets in as a new account in the operator's namespace. */
async function tokenOf(operator: OperatorName, account: string): Promise<string> {
  const inNamespace = `--namespace=${operator}-system`;
  await cluster().kubectl("create", "serviceaccount", account, inNamespace);
  return (await cluster().kubectl("create", "token", account, inNamespace)).trim();
}

// Before the others: what config/default makes beyond this would stay.
describe.for(operators)("%s, installed by config/namespaced", unhurried, (operator) => {
  const folder = pathOf(operator, "config/namespaced");
  const account = `system:serviceaccount:${operator}-system:${operator}-controller-manager`;

  /** What the operator's account may do in a namespace, as kubectl lists it. */
  const rights = (namespace: string) =>
    cluster().kubectl("auth", "can-i", "--list", "--no-headers", `--as=${account}`, `--namespace=${namespace}`);

  it("converges its sample, and may do in other namespaces what everybody may, and no more", async () => {
    await cluster().install(operator, folder);
    await cluster().startOperator(operator, "--namespaces=default");
    await cluster().converge(operator);
    expect(await rights("default")).toContain("events.events.k8s.io");
    for (const resource of ["secrets", "pods", "deployments", "events", "memcacheds", "podsets", "multisecrets"])
      expect(await rights("kube-public")).not.toContain(resource);
    await cluster().kubectl("delete", sampleOf[operator]);
    await cluster().stopOperators();
  });
});

describe.for(operators)("%s, installed by config/default", unhurried, (operator) => {
  const folder = pathOf(operator, "config/default");

  it("passes strict validation, and gets its pod past the namespace's restricted Pod Security", async () => {
    await cluster().install(operator);
    const pods = await podsOf(operator);
    expect(pods.map(({ spec }) => spec?.serviceAccountName)).toEqual([`${operator}-controller-manager`]);
    const privileged = ["run", "privileged", "--image=busybox", "--privileged", `--namespace=${operator}-system`];
    await expect(cluster().kubectl(...privileged)).rejects.toThrow('violates PodSecurity "restricted:latest"');
  });

  it("is changed by nothing when it is installed again", async () => {
    await cluster().install(operator);
    const before = await versionsOf(folder);
    expect(before).not.toEqual([]);
    await cluster().apply(folder);
    expect(await versionsOf(folder)).toEqual(before);
  });

  it("takes its samples", async () => {
    await cluster().install(operator);
    await cluster().apply(pathOf(operator, "config/samples"));
    await cluster().kubectl("delete", `--kustomize=${pathOf(operator, "config/samples")}`, "--timeout=20s");
  });

  it("is upgraded in place, pod by pod", async () => {
    const images = [{ name: operator, newName: `registry.example.com/${operator}`, newTag: "0.0.9" }];
    const args = JSON.stringify([
      { op: "add", path: "/spec/template/spec/containers/0/args/-", value: "--log-level=debug" },
    ]);
    const patches = [{ target: { kind: "Deployment" }, patch: args }];
    await withOverlay({ resources: [folder], images, patches }, (previous) => cluster().install(operator, previous));
    const before = await deploymentOf(operator);
    expect(before.spec?.template.spec?.containers[0]?.image).toBe(`registry.example.com/${operator}:0.0.9`);

    await cluster().install(operator);
    const { metadata, spec } = await deploymentOf(operator);
    expect(metadata.uid).toBe(before.metadata.uid);
    const image = spec?.template.spec?.containers[0]?.image;
    const running = async () => (await podsOf(operator)).map((pod) => pod.spec?.containers[0]?.image);
    await expect.poll(running, patience).toEqual([image]);
  });

  it("gets a second pod, and a budget for evictions, from an overlay", async () => {
    const components = [componentPath("two-replicas")];
    await withOverlay({ resources: [folder], components }, (overlay) => cluster().install(operator, overlay));
    expect(await podsOf(operator)).toHaveLength(2);
    const budget = ["poddisruptionbudget", `${operator}-controller-manager`, `--namespace=${operator}-system`];
    const allowed = () => cluster().kubectl("get", ...budget, "--output=jsonpath={.status.disruptionsAllowed}");
    await expect.poll(allowed, patience).toBe("1");
  });

  it("serves metrics to those whom metrics-reader is bound to, and to nobody else", async () => {
    await cluster().install(operator);
    const port = await freePort();
    await cluster().startOperator(operator, `--metrics-bind-address=127.0.0.1:${port}`);
    const stranger = await tokenOf(operator, "stranger");
    const scraper = await tokenOf(operator, "scraper");
    const role = `--clusterrole=${operator}-metrics-reader`;
    const subject = `${operator}-system:scraper`;
    await cluster().kubectl("create", "clusterrolebinding", `${operator}-scraper`, role, `--serviceaccount=${subject}`);
    // The authorizer learns of it by a watch of its own.
    const asked = ["auth", "can-i", "get", "/metrics", `--as=system:serviceaccount:${subject}`];
    const mayGet = () =>
      cluster()
        .kubectl(...asked)
        .catch(() => "no");
    await expect.poll(mayGet, patience).toContain("yes");

    expect((await askForMetrics(port, stranger)).code).toBe(403);
    expect((await askForMetrics(port, "nobody's")).code).toBe(401);
    expect(await askForMetrics(port, scraper)).toMatchObject({
      code: 200,
      text: expect.stringContaining("controller_runtime_active_workers"),
    });
    await cluster().stopOperators();
  });
});
