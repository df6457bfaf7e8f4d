const binary: Readonly<Record<string, number>> = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 };
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/**
 * Whether two values are one amount in different spellings, such as `"1000m"`, `"1"` and `1`
 * (`k8s.io/apimachinery/pkg/api/resource`).
 */
export function isEqualQuantity(a: unknown, b: unknown): boolean {
  const left = nano(a);
  return left !== undefined && left === nano(b);
}

/** The amount in billionths, which is as fine as a quantity gets; `undefined` if it is not a quantity. */
function nano(value: unknown): bigint | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d{1,2}))?$/.exec(String(value));
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", binarySuffix, decimalSuffix = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  const power = 9 - fraction.length + (decimal[decimalSuffix] ?? 0) + Number(exponent);
  const scaled = power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power);
  return binarySuffix === undefined ? scaled : scaled * 1024n ** BigInt(binary[binarySuffix] ?? 0);
}
