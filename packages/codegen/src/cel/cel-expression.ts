import { type CelToken, celTokens } from "./cel-tokens.ts";

/** An expression in CEL, its macros as the calls that they are written as. Operators are calls of CEL's own names. */
export type CelExpression =
  | { readonly is: "string"; readonly size: number }
  | { readonly is: "scalar"; readonly number?: number }
  | { readonly is: "identifier"; readonly name: string }
  | { readonly is: "select"; readonly of: CelExpression; readonly field: string; readonly optional: boolean }
  | { readonly is: "call"; readonly name: string; readonly of?: CelExpression; readonly with: readonly CelExpression[] }
  | { readonly is: "list"; readonly items: readonly CelExpression[] }
  | { readonly is: "map"; readonly entries: readonly (readonly [CelExpression, CelExpression])[] };

/** Operators by how tightly they bind, the loosest first. */
const binary: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["==", "!=", "<", "<=", ">", ">=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
];

/**
 * What an expression is made of.
 *
 * @throws SyntaxError if it is not CEL
 */
export function parseCel(source: string): CelExpression {
  return new Parser(celTokens(source)).whole();
}

class Parser {
  readonly #tokens: readonly CelToken[];
  #at = 0;

  constructor(tokens: readonly CelToken[]) {
    this.#tokens = tokens;
  }

  whole(): CelExpression {
    const expression = this.#conditional();
    if (this.#token.type !== "end") throw this.#unexpected();
    return expression;
  }

  get #token(): CelToken {
    return this.#tokens[this.#at] ?? { type: "end", text: "" };
  }

  #unexpected(): SyntaxError {
    const { type, text } = this.#token;
    return new SyntaxError(type === "end" ? "it ends too early" : `${JSON.stringify(text)} is out of place`);
  }

  #takes(symbol: string): boolean {
    const { type, text } = this.#token;
    if (text !== symbol || type !== (symbol === "in" ? "identifier" : "symbol")) return false;
    this.#at += 1;
    return true;
  }

  #expect(symbol: string): void {
    if (!this.#takes(symbol)) throw this.#unexpected();
  }

  #name(): string {
    const { type, text } = this.#token;
    if (type !== "identifier") throw this.#unexpected();
    this.#at += 1;
    return text;
  }

  #conditional(): CelExpression {
    const condition = this.#binary(0);
    if (!this.#takes("?")) return condition;
    const then = this.#binary(0);
    this.#expect(":");
    return { is: "call", name: "?:", with: [condition, then, this.#conditional()] };
  }

  #binary(level: number): CelExpression {
    const operators = binary[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((each) => this.#takes(each));
      if (operator === undefined) return left;
      left = { is: "call", name: operator, with: [left, this.#binary(level + 1)] };
    }
  }

  #unary(): CelExpression {
    if (this.#takes("!")) return { is: "call", name: "!", with: [this.#unary()] };
    if (!this.#takes("-")) return this.#member();
    // A negative number is a literal, which costs nothing.
    if (this.#token.type === "number") return this.#member();
    return { is: "call", name: "-", with: [this.#unary()] };
  }

  #member(): CelExpression {
    let expression = this.#primary();
    for (;;) {
      if (this.#takes(".")) {
        const name = this.#name();
        expression = this.#takes("(")
          ? { is: "call", name, of: expression, with: this.#list(")") }
          : { is: "select", of: expression, field: name, optional: false };
      } else if (this.#takes(".?")) {
        expression = { is: "select", of: expression, field: this.#name(), optional: true };
      } else if (this.#takes("[")) {
        expression = { is: "call", name: "[]", with: [expression, this.#conditional()] };
        this.#expect("]");
      } else if (this.#takes("[?")) {
        expression = { is: "call", name: "[?]", with: [expression, this.#conditional()] };
        this.#expect("]");
      } else return expression;
    }
  }

  #primary(): CelExpression {
    const token = this.#token;
    if (token.type === "string" || token.type === "number") {
      this.#at += 1;
      return token.type === "string" ? stringOf(token.text) : { is: "scalar", number: Number.parseFloat(token.text) };
    }
    if (this.#takes("(")) {
      const inner = this.#conditional();
      this.#expect(")");
      return inner;
    }
    if (this.#takes("[")) return { is: "list", items: this.#list("]") };
    if (this.#takes("{")) return { is: "map", entries: this.#entries() };
    this.#takes(".");
    const name = this.#name();
    if (name === "true" || name === "false" || name === "null") return { is: "scalar" };
    return this.#takes("(") ? { is: "call", name, with: this.#list(")") } : { is: "identifier", name };
  }

  /** Expressions up to the closing symbol; a comma may follow the last. */
  #list(closing: string): readonly CelExpression[] {
    const expressions: CelExpression[] = [];
    while (!this.#takes(closing)) {
      this.#takes("?");
      expressions.push(this.#conditional());
      if (!this.#takes(",")) {
        this.#expect(closing);
        break;
      }
    }
    return expressions;
  }

  #entries(): readonly (readonly [CelExpression, CelExpression])[] {
    const entries: (readonly [CelExpression, CelExpression])[] = [];
    while (!this.#takes("}")) {
      this.#takes("?");
      const key = this.#conditional();
      this.#expect(":");
      entries.push([key, this.#conditional()]);
      if (!this.#takes(",")) {
        this.#expect("}");
        break;
      }
    }
    return entries;
  }
}

/** What lies outside Unicode's first plane is one character, too. */
function stringOf(text: string): CelExpression {
  return { is: "string", size: [...text].length };
}
