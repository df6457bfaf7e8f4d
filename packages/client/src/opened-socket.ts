import type { Socket } from "node:net";

/** TCP and TLS together; a server that is well takes milliseconds. */
const connectTimeoutMs = 10_000;

/** The socket, once it has told by `event` that it is open; destroyed if that takes too long. */
export function openedSocket(socket: Socket, event: "connect" | "secureConnect"): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(connectTimeoutMs, () =>
      socket.destroy(new Error(`no connection within ${connectTimeoutMs / 1_000} s`)),
    );
    socket.once("error", reject);
    socket.once(event, () => {
      socket.setTimeout(0);
      socket.removeAllListeners("timeout");
      socket.removeListener("error", reject);
      resolve(socket);
    });
  });
}
