import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { probe } from "./probe.ts";

const ports = [{ name: "probes", containerPort: 8081 }];
const readiness = { httpGet: { path: "/readyz", port: "probes" } };

describe("probe", () => {
  let folder: string;
  let server: Server | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "probe-"));
  });

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
    rmSync(folder, { recursive: true });
  });

  const socketOf = (port: number): string => join(folder, `${port}.sock`);

  async function serve(answer: RequestListener): Promise<void> {
    server = createServer(answer).listen(socketOf(8081));
    await once(server, "listening");
  }

  it("is the answer of the port that it names", async () => {
    await serve(({ url }, response) => void response.writeHead(url === "/readyz" ? 200 : 404).end());
    expect(await probe(readiness, ports, socketOf)).toBe(true);
    expect(await probe({ httpGet: { path: "/", port: 8081 } }, ports, socketOf)).toBe(false);
  });

  it("is no, where nobody listens", async () => {
    expect(await probe(readiness, ports, socketOf)).toBe(false);
  });

  it("is no after a second, where somebody accepts and never answers", async () => {
    await serve(() => {});
    const start = performance.now();
    expect(await probe(readiness, ports, socketOf)).toBe(false);
    expect(performance.now() - start).toBeGreaterThan(900);
  });
});
