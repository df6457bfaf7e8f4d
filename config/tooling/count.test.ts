import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

describe("count", () => {
  let report: string;
  beforeEach(() => {
    report = mkdtempSync(join(tmpdir(), "trimtab-count-"));
  });
  afterEach(() => rmSync(report, { recursive: true }));

  function count(codes: {
    readonly tests: number;
    readonly checks: number;
    readonly demo: number;
    readonly e2e: number;
  }): readonly unknown[] {
    const flags = Object.entries(codes).flatMap(([part, code]) => [`--${part}`, String(code)]);
    const program = join(import.meta.dirname, "count.mjs");
    const { status, stdout } = spawnSync(process.execPath, [program, "--report", report, ...flags], {
      encoding: "utf8",
    });
    return [stdout, status];
  }

  function reports(tests: object, checks: object, e2e: object = { passed: 3, failed: 0 }): void {
    writeFileSync(join(report, "tests.json"), JSON.stringify({ testResults: [], ...tests }));
    writeFileSync(join(report, "checks.json"), JSON.stringify(checks));
    writeFileSync(join(report, "e2e.json"), JSON.stringify(e2e));
  }

  it("adds up tests, checks, claims end to end and the demo", () => {
    reports({ numPassedTests: 10, numFailedTests: 0 }, { passed: 5, failed: 0 });
    expect(count({ tests: 0, checks: 0, demo: 0, e2e: 0 })).toEqual(["19 passed, 0 failed\n", 0]);
  });

  it("fails if anything did", () => {
    reports({ numPassedTests: 8, numFailedTests: 2 }, { passed: 4, failed: 1 }, { passed: 1, failed: 1 });
    expect(count({ tests: 1, checks: 1, demo: 1, e2e: 1 })).toEqual(["13 passed, 5 failed\n", 1]);
  });

  it("counts a test file that could not be run as a failure", () => {
    const broken = { status: "failed", assertionResults: [] };
    const failing = { status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] };
    reports({ numPassedTests: 1, numFailedTests: 1, testResults: [broken, failing] }, { passed: 5, failed: 0 });
    expect(count({ tests: 1, checks: 0, demo: 0, e2e: 0 })).toEqual(["10 passed, 2 failed\n", 1]);
  });

  it("counts a part that failed without a report as one failure", () => {
    expect(count({ tests: 1, checks: 1, demo: 130, e2e: 1 })).toEqual(["0 passed, 4 failed\n", 1]);
  });

  it("counts tests that passed in a run that failed for another reason as a failure", () => {
    reports({ numPassedTests: 10, numFailedTests: 0 }, { passed: 5, failed: 0 });
    expect(count({ tests: 1, checks: 0, demo: 0, e2e: 0 })).toEqual(["19 passed, 1 failed\n", 1]);
  });
});
