/** Thrown when a kubeconfig does not say how to reach an API server; its message is one clear line. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}
