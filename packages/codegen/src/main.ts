#!/usr/bin/env node
import { parseArgs } from "node:util";
import { crdFiles } from "./crd-file.ts";
import { customResourceTypes } from "./custom-resource-types.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { applyChanges, changesOf } from "./generated-folder.ts";
import { operatorOf } from "./operator-module.ts";
import { rbacFiles } from "./rbac-files.ts";

const usage = "usage: trimtab-codegen [--check] API_FOLDER CRD_FOLDER [OPERATOR_MODULE RBAC_FOLDER]";

/** Writes the manifests of an operator; with `--check`, says whether they are written. @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { check: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [apiFolder, crdFolder, operatorModule, rbacFolder, ...rest] = positionals;
  const isHalf = (operatorModule === undefined) !== (rbacFolder === undefined);
  if (apiFolder === undefined || crdFolder === undefined || isHalf || rest.length > 0) throw new TypeError(usage);

  const types = await customResourceTypes(apiFolder);
  if (types.length === 0) throw new Error(`no module under ${apiFolder} exports a customResource(…)`);
  const folders = new Map([[crdFolder, crdFiles(types)]]);
  if (operatorModule !== undefined && rbacFolder !== undefined) {
    folders.set(rbacFolder, rbacFiles(await operatorOf(operatorModule), types));
  }
  const bring = values.check ? complain : write;
  let code = 0;
  for (const [folder, files] of folders) code = Math.max(code, await bring(folder, files));
  return code;
}

async function write(folder: string, files: readonly GeneratedFile[]): Promise<number> {
  await applyChanges(folder, await changesOf(folder, files));
  return 0;
}

async function complain(folder: string, files: readonly GeneratedFile[]): Promise<number> {
  const changes = await changesOf(folder, files);
  for (const { name } of changes) console.error(`${folder}/${name} is not what the code says: run pnpm generate`);
  return changes.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
