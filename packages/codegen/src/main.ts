import { parseArgs } from "node:util";
import { crdFiles } from "./crd-file.ts";
import { customResourceTypes } from "./custom-resource-types.ts";
import { applyChanges, changesOf } from "./generated-folder.ts";

const usage = "usage: main.ts [--check] API_FOLDER CRD_FOLDER";

/** Writes the CRDs of an operator's types; with `--check`, says whether they are written. @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { check: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [apiFolder, crdFolder, ...rest] = positionals;
  if (apiFolder === undefined || crdFolder === undefined || rest.length > 0) throw new TypeError(usage);

  const types = await customResourceTypes(apiFolder);
  if (types.length === 0) throw new Error(`no module under ${apiFolder} exports a customResource(…)`);
  const changes = await changesOf(crdFolder, crdFiles(types));
  if (!values.check) {
    await applyChanges(crdFolder, changes);
    return 0;
  }
  for (const { name } of changes) console.error(`${crdFolder}/${name} is not what its type says: run pnpm generate`);
  return changes.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
