import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";

/** A certificate that is its own CA, good for server and client, for the name `test`. PEM. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
  readonly fingerprint: string;
}

const hourMs = 3_600_000;

/** Version 1 of X.509 has no extensions, which leaves little to write. */
export function selfSigned(): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(0x30, Buffer.from("06082a8648ce3d040302", "hex"));
  const commonName = der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("test")));
  const name = der(0x30, der(0x31, commonName));
  const serial = der(0x02, Buffer.of(1, ...randomBytes(8)));
  const validity = der(0x30, utcTime(Date.now() - hourMs), utcTime(Date.now() + hourMs));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const body = der(0x30, serial, ecdsaWithSha256, name, validity, name, spki);
  const signature = der(0x03, Buffer.of(0), sign("sha256", body, privateKey));
  const bytes = der(0x30, body, ecdsaWithSha256, signature);
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    fingerprint: new X509Certificate(bytes).fingerprint256,
  };
}

function utcTime(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
