import type { Deployment } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { bindingsOf, identityOf, type Manifest, ofKind, onlyOne, podOf } from "./manifest.ts";
import { operators, pathOf, versionOf } from "./operators.ts";
import { render } from "./render.ts";

/** Ports that a manager opens by its arguments: `--metrics-bind-address=:8443`. */
function openedPorts({ args = [] }: { readonly args?: readonly string[] }): readonly number[] {
  return args
    .map((arg) => /-bind-address=:(\d+)$/.exec(arg)?.[1])
    .filter((port) => port !== undefined)
    .map(Number);
}

interface Ports {
  readonly ports?: readonly { readonly port?: string | number; readonly targetPort?: string | number }[];
}

describe.for(operators)("config/default of %s", (operator) => {
  const rendered = render(pathOf(operator, "config/default"));
  const deployment = rendered.then((manifests) => onlyOne<Deployment & Manifest>(manifests, "Deployment"));

  it("names all that it makes after the operator", async () => {
    const named = (await rendered).filter(({ kind }) => kind !== "CustomResourceDefinition");
    expect(named.map(({ metadata }) => metadata.name).filter((name) => !name.startsWith(`${operator}-`))).toEqual([]);
  });

  it("keeps what has a namespace in the operator's own", async () => {
    const namespaces = new Set((await rendered).map(({ metadata }) => metadata.namespace));
    expect([...namespaces].filter((namespace) => namespace !== undefined)).toEqual([`${operator}-system`]);
    expect(onlyOne(await rendered, "Namespace").metadata.name).toBe(`${operator}-system`);
    const withNamespace = (await rendered).filter(({ metadata }) => metadata.namespace !== undefined);
    // Of kinds that kustomize does not know it takes each for one with a namespace; the API server drops that.
    const kinds = withNamespace.map(({ kind }) => kind).filter((kind) => !kind.startsWith("ValidatingAdmissionPolicy"));
    expect(new Set(kinds)).toEqual(
      new Set(["Deployment", "NetworkPolicy", "Role", "RoleBinding", "Service", "ServiceAccount"]),
    );
  });

  it("has the names that the account, the workload and the bindings are known by", async () => {
    const namespace = `${operator}-system`;
    expect((await rendered).map(identityOf)).toEqual(
      expect.arrayContaining([
        `ServiceAccount ${namespace}/${operator}-controller-manager`,
        `Deployment ${namespace}/${operator}-controller-manager`,
        `Service ${namespace}/${operator}-controller-manager-metrics-service`,
        `Role ${namespace}/${operator}-leader-election-role`,
        `RoleBinding ${namespace}/${operator}-leader-election-rolebinding`,
        `NetworkPolicy ${namespace}/${operator}-allow-metrics-traffic`,
        `ClusterRole ${operator}-manager-role`,
        `ClusterRoleBinding ${operator}-manager-rolebinding`,
        `ClusterRole ${operator}-metrics-auth-role`,
        `ClusterRole ${operator}-metrics-reader`,
      ]),
    );
  });

  it("binds no role that it does not make, and to no account but its own", async () => {
    const identities = (await rendered).map(identityOf);
    const subject = { kind: "ServiceAccount", namespace: `${operator}-system`, name: `${operator}-controller-manager` };
    const bindings = bindingsOf(await rendered);
    expect(bindings).toHaveLength(3);
    for (const { metadata, roleRef, subjects } of bindings) {
      expect(subjects).toEqual([subject]);
      const scope = roleRef.kind === "Role" ? `${metadata.namespace}/` : "";
      expect(identities).toContain(`${roleRef.kind} ${scope}${roleRef.name}`);
    }
  });

  it("keeps what no upgrade could change in place: selectors, and the roles that bindings refer to", async () => {
    expect((await deployment).spec?.selector).toEqual({
      matchLabels: { "app.kubernetes.io/name": operator, "control-plane": "controller-manager" },
    });
    const bindings = bindingsOf(await rendered);
    expect(Object.fromEntries(bindings.map(({ metadata, roleRef }) => [metadata.name, roleRef.name]))).toEqual({
      [`${operator}-leader-election-rolebinding`]: `${operator}-leader-election-role`,
      [`${operator}-manager-rolebinding`]: `${operator}-manager-role`,
      [`${operator}-metrics-auth-rolebinding`]: `${operator}-metrics-auth-role`,
    });
  });

  it("runs the operator's own image, by the tag of the version that package.json names", async () => {
    expect(podOf(await deployment).manager.image).toBe(`${operator}:v${versionOf(operator)}`);
  });

  it("names no port that the manager does not open", async () => {
    const { manager } = podOf(await deployment);
    const opened = openedPorts(manager);
    expect(manager.ports?.map(({ containerPort }) => containerPort).toSorted()).toEqual(opened.toSorted());
    const numberOf = (port: string | number | undefined) =>
      typeof port === "number" ? port : manager.ports?.find(({ name }) => name === port)?.containerPort;

    expect(numberOf(manager.livenessProbe?.httpGet?.port as string)).toBe(8081);
    expect(numberOf(manager.readinessProbe?.httpGet?.port as string)).toBe(8081);
    const { ports = [] } = onlyOne<Manifest & { readonly spec: Ports }>(await rendered, "Service").spec;
    expect(ports.map(({ targetPort }) => numberOf(targetPort))).toEqual([8443]);
    const policies = ofKind<PolicyManifest>(await rendered, "NetworkPolicy");
    const incoming = policies.flatMap(({ spec }) => spec.ingress ?? []).flatMap((rule) => rule.ports ?? []);
    expect(incoming.map(({ port }) => numberOf(port))).toEqual([8443]);
  });

  it("lets nothing in but metrics, from namespaces that are labelled for it, and out to the API server and DNS", async () => {
    const policies = ofKind<PolicyManifest>(await rendered, "NetworkPolicy");
    expect(policies.flatMap(({ spec }) => spec.policyTypes).toSorted()).toEqual(["Egress", "Ingress"]);
    const labels = (await deployment).spec?.template.metadata?.labels;
    for (const { spec } of policies) expect(labels).toMatchObject(spec.podSelector.matchLabels);
    expect(policies.flatMap(({ spec }) => spec.ingress ?? []).map(({ from }) => from)).toEqual([
      [{ namespaceSelector: { matchLabels: { metrics: "enabled" } } }],
    ]);
    const outgoing = policies.flatMap(({ spec }) => spec.egress ?? []).flatMap((rule) => rule.ports ?? []);
    expect(outgoing.map(({ port }) => port)).toEqual([443, 6443, 53, 53]);
  });
});

interface PolicyManifest extends Manifest {
  readonly spec: {
    readonly policyTypes: readonly string[];
    readonly podSelector: { readonly matchLabels: object };
    readonly ingress?: readonly (Ports & { readonly from?: readonly object[] })[];
    readonly egress?: readonly (Ports & { readonly to?: readonly object[] })[];
  };
}

describe("the three side by side", () => {
  it("make no object that another makes", async () => {
    const all = await Promise.all(operators.map((operator) => render(pathOf(operator, "config/default"))));
    const identities = all.flat().map(identityOf);
    expect(identities.filter((identity, index) => identities.indexOf(identity) !== index)).toEqual([]);
  });
});
