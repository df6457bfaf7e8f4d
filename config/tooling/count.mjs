/**
 * Prints "N passed, N failed" of a run, from the reports of its parts and their exit codes, and fails if anything did.
 *
 * A part that failed counts as a failure at the least, whatever its report says or does not say.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

const exitCode = { type: "string" };
const { values } = parseArgs({
  options: { report: { type: "string" }, tests: exitCode, checks: exitCode, demo: exitCode, e2e: exitCode },
});

const parts = [
  counted(values.tests, countTests(read("tests.json"))),
  counted(values.checks, read("checks.json")),
  counted(values.e2e, read("e2e.json")),
  counted(values.demo, { passed: Number(values.demo === "0"), failed: 0 }),
];
const passed = parts.reduce((sum, part) => sum + part.passed, 0);
const failed = parts.reduce((sum, part) => sum + part.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

function counted(code, { passed, failed } = { passed: 0, failed: 0 }) {
  return { passed, failed: code === "0" ? failed : Math.max(failed, 1) };
}

/** Of vitest's JSON: a file that could not be run has no failed test, and is a failure. A skipped test has not passed. */
function countTests(report) {
  if (report === undefined) return undefined;
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length };
}

function read(name) {
  try {
    return JSON.parse(readFileSync(join(values.report, name), "utf8"));
  } catch {
    return undefined;
  }
}
