import type { Deployment } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { type Container, type Manifest, onlyOne, type PodTemplateSpec, podOf } from "./manifest.ts";
import { operators, pathOf } from "./operators.ts";
import { render } from "./render.ts";

/** What a process takes to end: reconciles that run, then Events, then the release of the lease. */
const drainSeconds = 27 + 2 + 5;

interface Workload {
  readonly pod: PodTemplateSpec;
  readonly manager: Container;
}

/** What kube-linter, polaris and the Pod Security Standards look for, and what each looks at. */
const posture: readonly (readonly [claim: string, seen: (workload: Workload) => unknown, wanted: unknown])[] = [
  ["runs as nobody of importance", ({ pod }) => pod.securityContext?.runAsNonRoot, true],
  ["is confined by seccomp", ({ pod }) => pod.securityContext?.seccompProfile, { type: "RuntimeDefault" }],
  ["gains no privileges", ({ manager }) => manager.securityContext?.allowPrivilegeEscalation, false],
  ["is not privileged", ({ manager }) => manager.securityContext?.privileged, undefined],
  ["has no capabilities", ({ manager }) => manager.securityContext?.capabilities, { drop: ["ALL"] }],
  ["writes to no file", ({ manager }) => manager.securityContext?.readOnlyRootFilesystem, true],
  ["shares nothing with its node", ({ pod }) => [pod.hostNetwork, pod.hostPID, pod.hostIPC, pod.volumes], Array(4)],
  ["listens on no port of its node", ({ manager }) => manager.ports?.filter(({ hostPort }) => hostPort), []],
  ["is told of no Services", ({ pod }) => pod.enableServiceLinks, false],
  ["finds no secret in its environment", ({ manager }) => [manager.env, manager.envFrom], Array(2)],
  ["asks for the token that it needs", ({ pod }) => pod.automountServiceAccountToken, true],
  ["requests CPU and memory", ({ manager }) => Object.keys(manager.resources?.requests ?? {}), ["cpu", "memory"]],
  ["has its memory limited", ({ manager }) => Object.keys(manager.resources?.limits ?? {}), ["memory"]],
  ["is asked whether it lives", ({ manager }) => manager.livenessProbe?.httpGet?.path, "/healthz"],
  ["is asked whether it is ready", ({ manager }) => manager.readinessProbe?.httpGet?.path, "/readyz"],
  ["runs an image of one version", ({ manager }) => /:(?!latest)[^:]+$/.test(manager.image ?? ""), true],
  ["leaves priority to overlays", ({ pod }) => pod.priorityClassName, undefined],
  ["leaves where it runs to overlays", ({ pod }) => [pod.tolerations, pod.nodeSelector, pod.affinity], Array(3)],
];

describe.for(operators)("the Deployment of %s", (operator) => {
  const rendered = render(pathOf(operator, "config/default"));
  const deployment = rendered.then((manifests) => onlyOne<Deployment & Manifest>(manifests, "Deployment"));

  it.for(posture)("%s", async ([, seen, wanted]) => {
    expect(seen(podOf(await deployment))).toEqual(wanted);
  });

  it("gives the manager longer to end than it takes", async () => {
    const { terminationGracePeriodSeconds = 0 } = podOf(await deployment).pod;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds);
  });

  it("has one writer at a time, and the next one ready before the last one goes", async () => {
    const { manager } = podOf(await deployment);
    expect(manager.args).toContain("--leader-elect");
    expect((await deployment).spec?.strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
  });

  it("has an account that gives its token to no other pod", async () => {
    const account = onlyOne<Manifest & { readonly automountServiceAccountToken?: boolean }>(
      await rendered,
      "ServiceAccount",
    );
    expect(account.automountServiceAccountToken).toBe(false);
    expect(podOf(await deployment).pod.serviceAccountName).toBe(account.metadata.name);
  });

  it("runs where the restricted Pod Security Standard is enforced", async () => {
    const { labels } = onlyOne(await rendered, "Namespace").metadata;
    expect(labels).toMatchObject({ "pod-security.kubernetes.io/enforce": "restricted" });
  });
});
