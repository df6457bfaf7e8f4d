import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { selfSignedCertificate } from "./self-signed-certificate.ts";

describe("selfSignedCertificate", () => {
  it("is one that OpenSSL reads, for a server, and good for a year", () => {
    const now = new Date("2026-06-01T12:00:00Z");
    const certificate = new X509Certificate(selfSignedCertificate("toy-operator", now).cert);
    expect(certificate.subject).toBe("CN=toy-operator");
    expect(certificate.subjectAltName).toBe("DNS:toy-operator, DNS:localhost");
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(certificate)).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(new Date(certificate.validFrom)).toEqual(new Date("2026-06-01T11:00:00Z"));
    expect(new Date(certificate.validTo)).toEqual(new Date("2027-06-01T12:00:00Z"));
  });

  it("is never the same twice", () => {
    const serials = Array.from({ length: 20 }, () => new X509Certificate(selfSignedCertificate("x").cert).serialNumber);
    expect(new Set(serials).size).toBe(20);
  });

  it("serves TLS to a client that trusts it", async () => {
    const certificate = selfSignedCertificate("toy-operator");
    const server = createServer(certificate, (_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const call = request({
      port,
      host: "127.0.0.1",
      servername: "toy-operator",
      ca: certificate.cert,
      agent: false,
    }).end();
    const [response] = await once(call, "response");
    expect(response.statusCode).toBe(200);
    server.closeAllConnections();
    server.close();
  });
});
