/** Thrown where a write or a process may not go on because the lease is not surely held any more. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}
