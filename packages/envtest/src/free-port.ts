import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below what Linux and macOS hand out to outgoing connections, so that none of those takes it before it is used. */
const lowest = 20_000;
const highest = 32_000;

/** A TCP port of the loopback interface that nobody listens on at this moment; somebody may an instant later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
