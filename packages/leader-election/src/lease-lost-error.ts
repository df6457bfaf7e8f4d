/** Thrown where a process that was the leader may no longer be: another may hold the lease by now. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}
