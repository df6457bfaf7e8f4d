/** What CEL keeps for itself: a field of that name is written between underscores, as `self.__namespace__`. */
const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);
const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** The name of a field as CEL selects it from `self` (k8s.io/apiserver's `pkg/cel/escaping.go`). */
export function celName(field: string): string {
  if (reserved.has(field)) return `__${field}__`;
  return field.replace(/__|[-./]/g, (symbol) => escapes[symbol] ?? symbol);
}
