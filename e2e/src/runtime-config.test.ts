import type { Pod } from "@trimtab/apimachinery";
import { describe, expect, it } from "vitest";
import { type Container, type RuntimeConfig, runtimeConfig } from "./runtime-config.ts";

const image = {
  Entrypoint: ["/nodejs/bin/node", "/app/main.js"],
  Cmd: ["--help"],
  Env: ["PATH=/nodejs/bin"],
  User: "65532:65532",
};
const seccomp = { defaultAction: "SCMP_ACT_ERRNO", architectures: [], syscalls: [] };

function podOf(container: Partial<Container> = {}, spec: Partial<Pod["spec"]> = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "manager-1", namespace: "system", uid: "u-1", resourceVersion: "1", creationTimestamp: "" },
    spec: { serviceAccountName: "controller-manager", ...spec, containers: [{ name: "manager", ...container }] },
  };
}

function configOf(pod: Pod, user = image.User): RuntimeConfig {
  return runtimeConfig({
    pod,
    image: { ...image, User: user },
    root: "/images/manager",
    volumes: new Map([["account", "/volumes/account"]]),
    hosts: "/pods/hosts",
    network: "/proc/7/ns/net",
    apiServer: { host: "10.0.0.1", port: 443 },
    seccomp,
  });
}

describe("runtimeConfig", () => {
  it("runs the image's entrypoint with the container's arguments in place of the image's", () => {
    expect(configOf(podOf({ args: ["--leader-elect"] })).process.args).toEqual([...image.Entrypoint, "--leader-elect"]);
    expect(configOf(podOf()).process.args).toEqual([...image.Entrypoint, "--help"]);
    expect(configOf(podOf({ command: ["/bin/true"] })).process.args).toEqual(["/bin/true", "--help"]);
  });

  it("tells the container where the API server is, and what its variables ask of the pod", () => {
    const fieldRef = { fieldPath: "metadata.namespace" };
    const { env } = configOf(podOf({ env: [{ name: "NAMESPACE", valueFrom: { fieldRef } }] })).process;
    expect(env).toContain("PATH=/nodejs/bin");
    expect(env).toContain("KUBERNETES_SERVICE_HOST=10.0.0.1");
    expect(env).toContain("KUBERNETES_SERVICE_PORT=443");
    expect(env).toContain("NAMESPACE=system");
    const secretKeyRef = { name: "a", key: "b" };
    expect(() => configOf(podOf({ env: [{ name: "X", valueFrom: { secretKeyRef } }] }))).toThrow("variable X");
  });

  it("runs as the image's user, unless the pod or the container names another", () => {
    expect(configOf(podOf()).process.user).toEqual({ uid: 65532, gid: 65532 });
    expect(configOf(podOf({}, { securityContext: { runAsUser: 1 } })).process.user.uid).toBe(1);
    const both = podOf({ securityContext: { runAsUser: 2 } }, { securityContext: { runAsUser: 1 } });
    expect(configOf(both).process.user.uid).toBe(2);
  });

  it("refuses root where the pod may not be, and a name of which nobody can tell", () => {
    const pod = podOf({}, { securityContext: { runAsNonRoot: true } });
    expect(() => configOf(pod, "0")).toThrow("image will run as root");
    expect(() => configOf(pod, "nonroot")).toThrow('the image\'s user is "nonroot"');
  });

  it("gives what is not dropped, and nothing where all is", () => {
    const { process, root } = configOf(podOf());
    expect(process.capabilities.bounding).toContain("CAP_CHOWN");
    expect([process.noNewPrivileges, root.readonly]).toEqual([false, false]);
    const posture = {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] },
    };
    const restricted = configOf(podOf({ securityContext: posture }));
    expect(restricted.process.capabilities.effective).toEqual(["CAP_NET_BIND_SERVICE"]);
    expect([restricted.process.noNewPrivileges, restricted.root.readonly]).toEqual([true, true]);
  });

  it("filters system calls where RuntimeDefault is asked for", () => {
    expect(configOf(podOf()).linux.seccomp).toBeUndefined();
    const spec = { securityContext: { seccompProfile: { type: "RuntimeDefault" } } };
    expect(configOf(podOf({}, spec)).linux.seccomp).toBe(seccomp);
  });

  it("limits memory as the container says", () => {
    const { resources } = configOf(podOf({ resources: { limits: { memory: "192Mi" } } })).linux;
    expect(resources).toEqual({ memory: { limit: 192 * 1024 * 1024 } });
  });

  it("mounts the pod's volumes where the container wants them", () => {
    const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
    const volumeMounts = [{ name: "account", mountPath, readOnly: true }];
    expect(configOf(podOf({ volumeMounts })).mounts).toContainEqual({
      destination: mountPath,
      type: "bind",
      source: "/volumes/account",
      options: ["rbind", "ro"],
    });
    expect(() => configOf(podOf({ volumeMounts: [{ name: "other", mountPath }] }))).toThrow("no volume other");
  });

  it("runs pods of one container only", () => {
    const containers = [{ name: "a" }, { name: "b" }];
    expect(() => configOf({ ...podOf(), spec: { containers } })).toThrow("exactly one container");
  });
});
