import { defineConfig } from "vitest/config";

/** Workspace packages are read from their sources, so that tests need no build. */
const conditions = ["@trimtab/source", "node", "import", "module", "default"];
const resolve = { conditions };
/** The last is where vitest loads globalSetup. */
const sources = { resolve, ssr: { resolve }, environments: { __vitest__: { resolve } } };

export default defineConfig({
  test: {
    // Real processes share two cores: more workers only make each of them slower.
    maxWorkers: 2,
    projects: [
      {
        ...sources,
        test: {
          name: "unit",
          include: [
            "{packages,operators,examples}/*/src/**/*.test.ts",
            "config/tooling/**/*.test.ts",
            "{e2e,config/image}/src/**/*.test.ts",
            "config/release/src/**/*.test.ts",
          ],
          testTimeout: 10_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...sources,
        test: {
          name: "cluster",
          include: ["{packages,operators,examples}/*/test/**/*.test.ts", "config/kustomize/test/**/*.test.ts"],
          globalSetup: ["packages/envtest/src/vitest.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...sources,
        test: {
          // What users install: packed, then used where nothing of this repository is.
          name: "release",
          include: ["config/release/test/**/*.test.ts"],
          globalSetup: ["config/release/test/pack.ts"],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
