import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { pendingOperators, pendingPackages } from "./pending-release.ts";
import { membersIn, root } from "./workspace.ts";

/** Says, as a workflow's outputs, what is to be released: `packages` and `operators`, each a JSON list for a matrix. */
const git = execFileSync("git", ["tag", "--list"], { cwd: root, encoding: "utf8" });
const tags = new Set(git.split("\n"));
const packages = pendingPackages(await membersIn("packages"), tags);
const operators = pendingOperators(await membersIn("operators"), tags);
const outputs = `packages=${JSON.stringify(packages)}\noperators=${JSON.stringify(operators)}\n`;
process.stdout.write(outputs);
const { GITHUB_OUTPUT } = process.env;
if (GITHUB_OUTPUT !== undefined) await appendFile(GITHUB_OUTPUT, outputs);
