/** Thrown when no answer came: the connection was refused, broken or silent for too long. */
export class TransportError extends Error {
  override readonly name = "TransportError";
}
