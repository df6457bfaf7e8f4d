/** Now, as `metav1.MicroTime` writes it: six digits after the second, no more and no fewer. */
export function microTime(): string {
  return new Date().toISOString().replace("Z", "000Z");
}
