import { fileURLToPath } from "node:url";
import { RunningProgram } from "./running-program.ts";

/** Where a pod finds the API server: the first address of the range of services, and in the server's certificate. */
export const apiService = { host: "10.0.0.1", port: 443 } as const;

export interface PodNetworkOptions {
  readonly address: string;
  /** A Unix socket that leads to the API server. */
  readonly apiSocket: string;
  /** Unix sockets that are to lead to ports of the pod. */
  readonly portSockets: ReadonlyMap<string, number>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Holds a network namespace for a pod, as a pause container does. Its one interface is the loopback one, which has the pod's
 * address and that of the API server: nothing else can be reached from it, and nothing of the machine's network changes.
 */
export async function startPodNetwork(options: PodNetworkOptions): Promise<RunningProgram> {
  const { address, apiSocket, portSockets, env } = options;
  const addresses = [address, apiService.host].map((own) => `ip address add ${own}/32 dev lo`);
  const relays = [
    `${apiService.host}:${apiService.port}=${apiSocket}`,
    ...[...portSockets].map(([socket, port]) => `${socket}=${address}:${port}`),
  ];
  const node = [process.execPath, fileURLToPath(new URL("relay-main.ts", import.meta.url)), ...relays];
  const script = ["ip link set lo up", ...addresses, 'exec "$@"'].join(" && ");
  const holder = new RunningProgram(["unshare", "--net", "sh", "-c", script, "sh", ...node], env);
  await holder.wrote("listening");
  return holder;
}
