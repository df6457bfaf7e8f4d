/** An error and what caused it, from the outside in; a chain that bites its own tail ends there. */
export function causesOf(error: unknown): ReadonlySet<Error> {
  const causes = new Set<Error>();
  for (let cause = error; cause instanceof Error && !causes.has(cause); cause = cause.cause) causes.add(cause);
  return causes;
}
