import { UsageError } from "./usage-error.ts";

/** Where a server listens; without a host on all addresses. */
export interface BindAddress {
  readonly host?: string;
  readonly port: number;
}

/** Go's `host:port`; `"0"` is nowhere. @throws UsageError if it is neither */
export function parseBindAddress(flag: string, text: string): BindAddress | undefined {
  if (text === "0") return undefined;
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535)
    throw new UsageError(
      `flag --${flag} must be an address such as :8081 or 127.0.0.1:8081, or 0 for none, not "${text}"`,
    );
  const host = match[1] ?? match[2];
  return { ...(host && { host }), port };
}
