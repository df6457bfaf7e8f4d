/** Distinguished Encoding Rules (X.690), as much as a certificate needs. */
export function sequence(...items: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(items));
}

export function set(...items: readonly Buffer[]): Buffer {
  return element(0x31, Buffer.concat(items));
}

/** Of a positive number, big endian. */
export function integer(bytes: Buffer): Buffer {
  return element(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

export function bitString(bytes: Buffer): Buffer {
  return element(0x03, Buffer.concat([Buffer.of(0), bytes]));
}

export function octetString(bytes: Buffer): Buffer {
  return element(0x04, bytes);
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text));
}

/** In seconds and UTC, good for the years 1950 to 2049. */
export function utcTime(date: Date): Buffer {
  return element(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));
}

export const yes: Buffer = element(0x01, Buffer.of(0xff));

/** Such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** `[tag]`, holding other elements or bare bytes. */
export function context(tag: number, content: Buffer, kind: "holds" | "is"): Buffer {
  return element((kind === "holds" ? 0xa0 : 0x80) + tag, content);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  const bytes = size.subarray(size.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(tag, 0x80 + bytes.length), bytes, content]);
}
