import { readFile } from "node:fs/promises";

/** As often as client-go reads a projected token again; the kubelet renews it long before it ends. */
const rereadMs = 60_000;

/** The authorization header of a token that is kept in a file and renewed there. */
export function tokenFileHeaders(
  path: string,
): (options: { readonly renew: boolean }) => Promise<Readonly<Record<string, string>>> {
  let headers: Promise<Readonly<Record<string, string>>> | undefined;
  let readAt = 0;
  return async ({ renew }) => {
    const now = performance.now();
    if (headers === undefined || renew || now - readAt > rereadMs) {
      readAt = now;
      const previous = headers;
      const reading = readFile(path, "utf8").then((token) => ({ authorization: `Bearer ${token.trim()}` }));
      // A file that cannot be read just now does not take away the token that is known to be good.
      headers = previous === undefined ? reading : reading.catch(() => previous);
    }
    return headers;
  };
}
