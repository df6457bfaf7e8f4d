/** Thrown where the process was called in a way that cannot be meant; its message is one clear line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
