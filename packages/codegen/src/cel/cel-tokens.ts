/** A word of an expression in CEL. */
export interface CelToken {
  readonly type: "identifier" | "number" | "string" | "symbol" | "end";
  /** As it is written; of a string, what is between its quotes, with a dot for each escape sequence. */
  readonly text: string;
}

// The longest come first. A triple-quoted string may hold line breaks; a raw one (r"…") has no escapes.
const patterns: readonly (readonly [CelToken["type"] | "raw" | "space", RegExp])[] = [
  ["space", /(?:\s+|\/\/[^\n]*)/y],
  ["raw", /[bB]?[rR][bB]?(?:"""(.*?)"""|'''(.*?)'''|"([^"\n]*)"|'([^'\n]*)')/sy],
  ["string", /[bB]?(?:"""((?:[^\\]|\\.)*?)"""|'''((?:[^\\]|\\.)*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/sy],
  ["number", /(?:0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?[uU]?)/y],
  ["identifier", /[A-Za-z_]\w*/y],
  ["identifier", /`([\w.\-/ ]+)`/y],
  ["symbol", /(?:&&|\|\||==|!=|<=|>=|\[\?|\.\?|[-+*/%!?:<>()[\]{},.])/y],
];

/**
 * The words of an expression, with an end after the last (github.com/google/cel-spec, `doc/langdef.md`).
 *
 * @throws if it holds what no word begins with
 */
export function celTokens(source: string): readonly CelToken[] {
  const tokens: CelToken[] = [];
  let at = 0;
  while (at < source.length) {
    const { type, text, end } = wordAt(source, at);
    if (type === "raw") tokens.push({ type: "string", text });
    else if (type !== "space")
      tokens.push({ type, text: type === "string" ? text.replace(escapeSequence, ".") : text });
    at = end;
  }
  tokens.push({ type: "end", text: "" });
  return tokens;
}

const escapeSequence = /\\(?:[xX]..|u.{4}|U.{8}|[0-3][0-7]{2}|.)/gs;

function wordAt(source: string, at: number): { type: (typeof patterns)[number][0]; text: string; end: number } {
  for (const [type, pattern] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) continue;
    const [whole, ...inner] = match;
    return { type, text: inner.find((text) => text !== undefined) ?? whole, end: pattern.lastIndex };
  }
  throw new SyntaxError(`there is no sense in ${JSON.stringify(source.slice(at, at + 20))}`);
}
