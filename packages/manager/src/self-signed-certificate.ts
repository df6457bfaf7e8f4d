import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import {
  bitString,
  context,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utcTime,
  utf8String,
  yes,
} from "./der.ts";

export interface ServingCertificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const yearMs = 365 * 24 * 3_600_000;
const ecdsaWithSha256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));

/**
 * A certificate that signs itself, for a server that nobody has given one (RFC 5280; as controller-runtime makes one for its
 * metrics). It keeps what is said private; it proves nothing of who says it. Good for a year, longer than a pod lives.
 */
export function selfSignedCertificate(name: string, now: Date = new Date()): ServingCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = sequence(set(sequence(objectIdentifier("2.5.4.3"), utf8String(name))));
  const validity = sequence(utcTime(new Date(now.getTime() - 3_600_000)), utcTime(new Date(now.getTime() + yearMs)));
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01;
  const body = sequence(
    context(0, integer(Buffer.of(2)), "holds"),
    integer(serial),
    ecdsaWithSha256,
    subject,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    context(3, sequence(...extensions(name)), "holds"),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, ecdsaWithSha256, bitString(signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${(certificate.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function extensions(name: string): readonly Buffer[] {
  const dnsNames = [name, "localhost"].map((each) => context(2, Buffer.from(each), "is"));
  return [
    // subjectAltName, extKeyUsage: serverAuth, basicConstraints: not a CA.
    sequence(objectIdentifier("2.5.29.17"), octetString(sequence(...dnsNames))),
    sequence(objectIdentifier("2.5.29.37"), octetString(sequence(objectIdentifier("1.3.6.1.5.5.7.3.1")))),
    sequence(objectIdentifier("2.5.29.19"), yes, octetString(sequence())),
  ];
}
