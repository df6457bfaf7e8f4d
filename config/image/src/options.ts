import { parseArgs } from "node:util";

export interface Options {
  readonly operators: readonly string[];
  readonly tag: string | undefined;
  readonly base: string | undefined;
}

export const usage = `pnpm image --filter OPERATOR [--tag NAME:TAG] [--base IMAGE]

  --filter  the operator, by its folder in operators; may be given again
  --tag     what the image is called; OPERATOR:vVERSION if left out, as its manifests call it
  --base    what it stands on: an image with Node 24 at /nodejs/bin/node; that of the Dockerfile if left out`;

/** @throws {TypeError} if they make no sense */
export function parseOptions(args: readonly string[]): Options {
  const string = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { filter: { ...string, multiple: true }, tag: string, base: string },
  });
  const { filter = [], tag, base } = values;
  // As pnpm itself takes them: a package's name will do.
  const operators = filter.map((name) => name.replace(/^@trimtab\//, ""));
  if (operators.length === 0) throw new TypeError("which operator? --filter names it");
  if (tag !== undefined && operators.length > 1) throw new TypeError("--tag is for one operator");
  return { operators, tag, base };
}
