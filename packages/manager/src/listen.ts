import { once } from "node:events";
import type { Server } from "node:http";
import type { BindAddress } from "./bind-address.ts";

/** Listens until disposed of. @throws Error that names the address if it cannot */
export async function listen(server: Server, what: string, { host, port }: BindAddress): Promise<AsyncDisposable> {
  server.listen({ port, ...(host !== undefined && { host }) });
  try {
    await once(server, "listening");
  } catch (cause) {
    throw new Error(`cannot serve ${what} on ${host ?? ""}:${port}: ${(cause as Error).message}`, { cause });
  }
  // Probes must not keep the process alive after all else has ended.
  server.unref();
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
