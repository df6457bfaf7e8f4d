import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connection } from "./connection.ts";
import { inClusterConnection } from "./in-cluster.ts";
import { loadConnection } from "./load-connection.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trimtab-client-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function file(name: string, contents: object | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof contents === "string" ? contents : JSON.stringify(contents));
  return path;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function kubeconfig(user: object = {}, cluster: object = {}): object {
  return {
    "current-context": "here",
    contexts: [{ name: "here", context: { cluster: "c", user: "u", namespace: "mine" } }],
    clusters: [{ name: "c", cluster: { server: "https://here:6443", ...cluster } }],
    users: [{ name: "u", user }],
  };
}

async function headersOf(connection: Connection, renew = false): Promise<unknown> {
  return connection.headers?.({ renew });
}

describe("loadConnection", () => {
  it("quotes nothing of kubeconfigs that cannot be parsed, also where there are several", async () => {
    const broken = await file("broken", "users:\n- user:\n    token: hidden\n   bad: [\n");
    const whole = await file("whole", kubeconfig());
    const error = await loadConnection({ env: { KUBECONFIG: `${whole}:${broken}` } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: "ConnectionError" });
    expect(inspect(error)).not.toContain("hidden");
  });

  it("refuses a server that is no URL", async () => {
    const path = await file("config", kubeconfig({}, { server: "not a url" }));
    await expect(loadConnection({ kubeconfig: path, env: {} })).rejects.toThrow(
      `${path}: the server of its context "here" is not a URL: not a url`,
    );
  });

  it("reads certificates and tokens from the kubeconfig, in YAML as in JSON", async () => {
    const yaml = `
current-context: here
contexts: [{ name: here, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: "https://here:6443", certificate-authority-data: ${base64("CA")}, tls-server-name: kubernetes } }]
users: [{ name: u, user: { token: secret, client-certificate-data: ${base64("CERT")}, client-key-data: ${base64("KEY")} } }]
`;
    const connection = await loadConnection({ kubeconfig: await file("config", yaml), env: {} });
    expect(connection).toMatchObject({
      server: "https://here:6443",
      ca: "CA",
      cert: "CERT",
      key: "KEY",
      serverName: "kubernetes",
    });
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer secret" });
  });

  it("reads files that the kubeconfig names from beside it, and a token's again when it must be renewed", async () => {
    await file("ca.crt", "CA");
    const token = await file("token", "first\n");
    const config = kubeconfig({ tokenFile: "token" }, { "certificate-authority": "ca.crt" });
    const connection = await loadConnection({ kubeconfig: await file("config", config), env: {} });
    expect(connection).toMatchObject({ ca: "CA", namespace: "mine" });
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer first" });
    await writeFile(token, "second\n");
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer first" });
    expect(await headersOf(connection, true)).toEqual({ authorization: "Bearer second" });
  });

  it("keeps the token that it has when the file is missing for a moment", async () => {
    const token = await file("token", "first");
    const connection = await loadConnection({
      kubeconfig: await file("config", kubeconfig({ tokenFile: token })),
      env: {},
    });
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer first" });
    await rm(token);
    expect(await headersOf(connection, true)).toEqual({ authorization: "Bearer first" });
  });

  it("prefers the flag to KUBECONFIG, that to the pod, and that to the home folder", async () => {
    const flag = await file("flag", kubeconfig({}, { server: "https://flag" }));
    const variable = await file("variable", kubeconfig({}, { server: "https://variable" }));
    expect((await loadConnection({ kubeconfig: flag, env: { KUBECONFIG: variable } })).server).toBe("https://flag");
    expect((await loadConnection({ env: { KUBECONFIG: variable, HOME: folder } })).server).toBe("https://variable");
    const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443", HOME: folder };
    await expect(loadConnection({ env: pod })).rejects.toThrow(/^this pod has no service account to connect by/);
    await expect(loadConnection({ env: { HOME: folder } })).rejects.toThrow(/^no cluster to connect to: /);
  });

  it("chooses the context that it is told", async () => {
    const config = { ...kubeconfig(), "current-context": "gone" };
    const path = await file("config", config);
    expect((await loadConnection({ kubeconfig: path, context: "here", env: {} })).server).toBe("https://here:6443");
  });

  it.each([
    ["is not there", undefined, /^cannot read the kubeconfig .*: ENOENT/],
    ["is no mapping", "hunter2", /config is not a kubeconfig/],
    ["is broken YAML", "a: [hunter2", /config is not a kubeconfig/],
    ["has no current context", {}, /it has no current-context, and --context names none$/],
    ["lacks the context", { "current-context": "x" }, /it has no context "x"$/],
    ["lacks the cluster", { ...kubeconfig(), clusters: [] }, /names the cluster "c", which has no server$/],
    ["names a file that is missing", kubeconfig({}, { "certificate-authority": "gone" }), /cannot read .*gone: ENOENT/],
  ])("says in one line, without quoting it, when the kubeconfig %s", async (_, contents, message) => {
    const path = contents === undefined ? join(folder, "gone") : await file("config", contents);
    const error: unknown = await loadConnection({ kubeconfig: path, env: {} }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ConnectionError", message: expect.stringMatching(message) });
    expect(String(error)).not.toMatch(/hunter2|\n/);
  });

  it("merges the files that KUBECONFIG lists", async () => {
    const clusters = await file("clusters", { clusters: [{ name: "c", cluster: { server: "https://merged" } }] });
    const { clusters: _, ...rest } = kubeconfig({ token: "t" }) as Record<string, unknown>;
    const others = await file("others", { ...rest, clusters: [] });
    const connection = await loadConnection({ env: { KUBECONFIG: `${others}:${clusters}` } });
    expect(connection.server).toBe("https://merged");
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer t" });
  });

  it("skips files of that list that are not there, as kubectl does, but not the one that a flag names", async () => {
    const there = await file("there", kubeconfig({ token: "t" }));
    const gone = join(folder, "gone");
    const connection = await loadConnection({ env: { KUBECONFIG: `${gone}:${there}:${gone}` } });
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer t" });
    await expect(loadConnection({ env: { KUBECONFIG: `${gone}:${gone}` } })).rejects.toThrow(
      `cannot read the kubeconfig ${gone}:${gone}: none of these files exists`,
    );
    await expect(loadConnection({ kubeconfig: gone, env: { KUBECONFIG: there } })).rejects.toThrow(/gone: ENOENT/);
  });

  it("takes what two files of that list name alike from the first, and paths from beside the file that names them", async () => {
    await mkdir(join(folder, "sub"));
    await file("sub/ca.crt", "CA");
    const first = await file("sub/config", kubeconfig({ token: "first" }, { "certificate-authority": "ca.crt" }));
    const second = await file("config", kubeconfig({ token: "second" }, { server: "https://second" }));
    const connection = await loadConnection({ env: { KUBECONFIG: `${first}:${second}` } });
    expect(connection).toMatchObject({ server: "https://here:6443", ca: "CA" });
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer first" });
    const basic = await file("basic", { users: [{ name: "u", user: { username: "a", password: "b" } }] });
    const merged = await loadConnection({ env: { KUBECONFIG: `${basic}:${first}` } });
    expect(merged).toMatchObject({ server: "https://here:6443", ca: "CA" });
    expect(await headersOf(merged)).toEqual({ authorization: `Basic ${base64("a:b")}` });
  });

  describe("of a server behind a proxy", () => {
    let proxy: Server;
    let asked: string[];
    let url: string;
    beforeEach(async () => {
      asked = [];
      proxy = createServer().on("connect", (request, socket) => {
        asked.push(`${request.url} ${request.headers["proxy-authorization"]}`);
        socket.end("HTTP/1.1 200 OK\r\n\r\n");
      });
      proxy.listen(0, "127.0.0.1");
      await once(proxy, "listening");
      url = `http://a:b@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    });
    afterEach(() => void proxy.close());

    async function reach(connection: Connection): Promise<void> {
      (await connection.proxy?.({ host: "here", port: 6443 }))?.destroy();
    }

    it("takes the environment's, with every way to authenticate", async () => {
      const path = await file("config", kubeconfig());
      const env = { HTTPS_PROXY: url, NO_PROXY: "elsewhere" };
      await reach(await loadConnection({ kubeconfig: path, env }));
      await reach(await loadConnection({ kubeconfig: await file("basic", kubeconfig({ username: "u" })), env }));
      expect(asked).toEqual(Array(2).fill(`here:6443 Basic ${base64("a:b")}`));
      const direct = await loadConnection({ kubeconfig: path, env: { ...env, NO_PROXY: "here" } });
      expect(direct.proxy).toBeUndefined();
    });

    it("prefers the kubeconfig's", async () => {
      const path = await file("config", kubeconfig({}, { "proxy-url": url }));
      await reach(await loadConnection({ kubeconfig: path, env: { HTTPS_PROXY: "http://127.0.0.1:1" } }));
      expect(asked).toHaveLength(1);
    });

    it("takes one that speaks SOCKS, and refuses what is none, without quoting it", async () => {
      const path = await file("config", kubeconfig());
      const socks = await loadConnection({ kubeconfig: path, env: { HTTPS_PROXY: "socks5h://127.0.0.1:1" } });
      await expect(reach(socks)).rejects.toThrow("ECONNREFUSED");
      const wrong = loadConnection({ kubeconfig: path, env: { HTTPS_PROXY: "ftp://hunter2@proxy" } });
      await expect(wrong).rejects.toThrow(/^HTTPS_PROXY is not the URL of a proxy by HTTP or SOCKS$/);
    });
  });

  it("asks a credential plugin, and asks it again when what it gave is refused", async () => {
    const plugin = await file(
      "plugin",
      `#!/bin/sh
echo x >> "${folder}/asked"
echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"$(wc -l < "${folder}/asked" | tr -d ' ')\\"}}"
`,
    );
    await chmod(plugin, 0o755);
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: plugin, interactiveMode: "Never" };
    const connection = await loadConnection({ kubeconfig: await file("config", kubeconfig({ exec })), env: {} });
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer 1" });
    expect(await headersOf(connection)).toEqual({ authorization: "Bearer 1" });
    expect(await headersOf(connection, true)).toEqual({ authorization: "Bearer 2" });
  });
});

describe("inClusterConnection", () => {
  it("is what the kubelet has mounted, IPv6 or not", async () => {
    await Promise.all([file("ca.crt", "CA"), file("namespace", "mine\n"), file("token", "secret\n")]);
    const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
    const connection = await inClusterConnection(env, folder);
    expect(connection).toMatchObject({ server: "https://[fd00::1]:443", ca: "CA", namespace: "mine" });
    expect(connection && (await headersOf(connection))).toEqual({ authorization: "Bearer secret" });
  });

  it("is none outside of a pod", async () => {
    expect(await inClusterConnection({}, folder)).toBeUndefined();
  });
});
