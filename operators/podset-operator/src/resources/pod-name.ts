import { createHash } from "node:crypto";
import type { PodSet } from "../api/v1alpha1/podset.ts";

/** No vowels, and none that look alike, as in the names that Kubernetes makes up (`k8s.io/apimachinery/pkg/util/rand`). */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * The name of the pod in one place of a PodSet, fixed before it is asked for: two who find the same place empty
 * ask for the same name, and the API server gives it to one of them.
 *
 * @param replacements how many pods have been in that place before, as the PodSet's status says
 */
export function podName({ metadata }: PodSet, place: number, replacements: number): string {
  const digest = createHash("sha256").update(`${metadata.uid}/${place}/${replacements}`).digest();
  const suffix = Array.from(digest.subarray(0, 8), (byte) => alphabet[byte % alphabet.length]).join("");
  return `${metadata.name}-pod-${suffix}`;
}
