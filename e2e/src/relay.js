import { once } from "node:events";
import { createConnection, createServer } from "node:net";
/** Reads `host:port`, or a path. */
export function parseEndpoint(text) {
    if (text.startsWith("/"))
        return { path: text };
    const colon = text.lastIndexOf(":");
    return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}
/** Hands each connection that comes to `from` on to `to`, byte by byte; resolves once it listens. */
export async function relay(from, to) {
    const server = createServer((near) => {
        const far = createConnection(to);
        join(near, far);
        join(far, near);
    });
    server.listen(from);
    await once(server, "listening");
    return server;
}
function join(from, to) {
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
}
