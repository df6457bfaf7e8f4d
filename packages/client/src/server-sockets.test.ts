import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap } from "@trimtab/apimachinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CertifiedServer } from "./certified-server.fixture.ts";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { inClusterConnection } from "./in-cluster.ts";
import { loadConnection } from "./load-connection.ts";
import { type SelfSigned, selfSigned } from "./self-signed.fixture.ts";

const key = { namespace: "default", name: "a" };

describe("certificates that are kept in files", () => {
  let folder: string;
  let server: CertifiedServer;
  let serving: SelfSigned;
  let mine: SelfSigned;
  let client: Client;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trimtab-client-"));
    serving = selfSigned();
    mine = selfSigned();
    server = await CertifiedServer.start(serving, mine);
    await write(serving, mine);
    client = await connect({ "client-certificate": "tls.crt", "client-key": "tls.key" });
  });
  afterEach(async () => {
    client.close();
    server.close();
    await rm(folder, { recursive: true });
  });

  async function connect(user: object): Promise<Client> {
    const cluster = { server: server.url, "certificate-authority": "ca.crt", "tls-server-name": "test" };
    const config = {
      "current-context": "here",
      contexts: [{ name: "here", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user }],
    };
    await writeFile(join(folder, "config"), JSON.stringify(config));
    const connection = await loadConnection({ kubeconfig: join(folder, "config"), env: {} });
    return createClient({ connection, userAgent: "test", fieldManager: "test" });
  }

  async function write(ca: SelfSigned, own: SelfSigned): Promise<void> {
    await Promise.all([
      writeFile(join(folder, "ca.crt"), ca.cert),
      writeFile(join(folder, "tls.crt"), own.cert),
      writeFile(join(folder, "tls.key"), own.key),
    ]);
  }

  it("are read again when the server is no longer trusted by what is known", async () => {
    await client.get(ConfigMap, key);
    const next = selfSigned();
    await write(next, mine);
    server.serve(next);
    await client.get(ConfigMap, key);
    expect(server.answers).toEqual([200, 200]);
  });

  it("are shown anew, on new connections, when the server refuses the old", async () => {
    await Promise.all([client.get(ConfigMap, key), client.get(ConfigMap, key)]);
    const next = selfSigned();
    await write(serving, next);
    server.accept(next);
    await client.get(ConfigMap, key);
    expect(server.answers).toEqual([200, 200, 401, 200]);
    await Promise.all([client.get(ConfigMap, key), client.get(ConfigMap, key)]);
    expect(server.answers.slice(4)).toEqual([200, 200]);
  });

  it("are shown anew by a watch, too", async () => {
    const watch = async (): Promise<void> => {
      for await (const { type } of client.watch(ConfigMap, {})) expect(type).toBe("ADDED");
    };
    await watch();
    const next = selfSigned();
    await write(serving, next);
    server.accept(next);
    await watch();
    expect(server.answers).toEqual([200, 401, 200]);
  });

  it("stay as they were while what is there cannot be used", async () => {
    await client.get(ConfigMap, key);
    await writeFile(join(folder, "tls.crt"), selfSigned().cert);
    await rm(join(folder, "ca.crt"));
    server.serve(serving);
    await client.get(ConfigMap, key);
    expect(server.answers).toEqual([200, 200]);
  });

  it("are asked of a credential plugin anew when the server refuses the old", async () => {
    const plugin = join(folder, "plugin");
    const grant = (own: SelfSigned): Promise<void> => {
      const status = { clientCertificateData: own.cert, clientKeyData: own.key };
      const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status };
      return writeFile(join(folder, "credential"), JSON.stringify(credential));
    };
    await grant(mine);
    await writeFile(plugin, `#!/bin/sh\ncat "${folder}/credential"\n`);
    await chmod(plugin, 0o755);
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: plugin, interactiveMode: "Never" };
    const served = await connect({ exec });
    await served.get(ConfigMap, key);
    const next = selfSigned();
    await grant(next);
    server.accept(next);
    await served.get(ConfigMap, key);
    served.close();
    expect(server.answers).toEqual([200, 401, 200]);
  });

  describe("in a pod", () => {
    let pod: Client;
    beforeEach(async () => {
      const { hostname, port } = new URL(server.url);
      await writeFile(join(folder, "token"), "mine");
      const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
      const connection = await inClusterConnection(env, folder);
      if (connection === undefined) throw new Error("this is no pod");
      pod = createClient({
        connection: { ...connection, serverName: "test" },
        userAgent: "test",
        fieldManager: "test",
      });
    });
    afterEach(() => pod.close());

    it("are read again when the server is no longer trusted by what is known", async () => {
      const next = selfSigned();
      await write(next, mine);
      server.serve(next);
      await expect(pod.get(ConfigMap, key)).rejects.toMatchObject({ statusCode: 401 });
    });

    it("cost no new connection where it is the token that is refused", async () => {
      await expect(pod.get(ConfigMap, key)).rejects.toMatchObject({ statusCode: 401 });
      await expect(pod.get(ConfigMap, key)).rejects.toMatchObject({ statusCode: 401 });
      expect([server.answers, server.connections]).toEqual([[401, 401, 401, 401], 1]);
    });
  });
});
