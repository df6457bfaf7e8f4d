import { request } from "node:http";
import type { Container } from "./runtime-config.ts";

/** What a probe waits for its answer, unless it says otherwise: as the API server fills it in. */
const defaultTimeoutSeconds = 1;

/**
 * Asks a container what its probe wants to know, at the Unix sockets that `socketOf` has for its ports.
 *
 * @returns false if the answer is no, or there is none in time
 * @throws {Error} if the probe is of a kind that is not done here
 */
export async function probe(
  { httpGet, timeoutSeconds = defaultTimeoutSeconds }: NonNullable<Container["readinessProbe"]>,
  ports: NonNullable<Container["ports"]>,
  socketOf: (port: number) => string,
): Promise<boolean> {
  if (httpGet === undefined) throw new Error("only probes by HTTP are done here");
  const named = ports.find(({ name }) => name === httpGet.port)?.containerPort;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const question = request({
    socketPath: socketOf(named ?? Number(httpGet.port)),
    path: httpGet.path,
    headers: { connection: "close" },
    timeout: timeoutSeconds * 1000,
  });
  question.on("response", (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  question.on("timeout", () => question.destroy(new Error("no answer in time")));
  question.on("error", () => resolve(false));
  question.end();
  return promise;
}
