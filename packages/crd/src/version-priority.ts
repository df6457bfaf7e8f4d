const kubernetesLike = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stages = ["alpha", "beta", undefined];

/**
 * Orders the versions of a kind as Kubernetes does: the stable before beta before alpha, the newer before the older,
 * and names that are not of this kind last, by the alphabet (`CompareKubeAwareVersionStrings` of
 * k8s.io/apimachinery's `pkg/version`).
 */
export function compareVersions(a: string, b: string): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  if (rankA === undefined || rankB === undefined) {
    if (rankA === rankB) return a < b ? -1 : Number(a > b);
    return rankA === undefined ? 1 : -1;
  }
  return rankA.map((rank, place) => (rankB[place] ?? 0) - rank).find((difference) => difference !== 0) ?? 0;
}

/** Stage, major and minor version, the greater of which comes first. */
function rankOf(version: string): readonly number[] | undefined {
  const match = kubernetesLike.exec(version);
  return match === null ? undefined : [stages.indexOf(match[2]), Number(match[1]), Number(match[3] ?? 0)];
}
