/** Of what JSON type a value is: the API server says so in the value's place. */
const jsonTypes: ReadonlySet<string> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** A quoted text, a number or another literal, or, where it is neither, all the rest: nobody knows where it ends. */
const refused =
  /((?:Invalid|Unsupported|Duplicate) value: )(?:"((?:[^"\\]|\\.)*)"|(-?[\d.]+|true|false|null)(?![\w"{[])|[\s\S]+)/g;

/** Go's JSON decoders quote what stands around the byte that they cannot read, and so does JavaScript's. */
const undecoded = /(error found in #\d+ byte of |Unexpected (?:token|string|number|end)[^"]{0,20})[\s\S]*/;

/**
 * Leaves out of an error's message the values it quotes: an API server that refuses a Secret, or an object that one is
 * made from, says `data[key]: Invalid value: "…"` (k8s.io/apimachinery pkg/util/validation/field/errors.go).
 */
export function redact(message: string): string {
  return message
    .replaceAll(refused, (all, before: string, quoted: string | undefined, literal: string | undefined) =>
      literal !== undefined || (quoted !== undefined && jsonTypes.has(quoted)) ? all : `${before}(not shown)`,
    )
    .replace(undecoded, "$1(not shown)");
}
