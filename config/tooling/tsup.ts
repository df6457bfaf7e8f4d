import { defineConfig, type Options } from "tsup";
import { licensesBeside } from "./bundled-licenses.ts";
import { lazyBuiltins, withoutUndici } from "./lean-bundle.ts";

/**
 * V8 lets the part of its heap for new objects grow to many times what an operator needs, and never gives most of it back.
 * Kept at its first size, 500 resources take 15 MB less, in no more CPU time. `--max-semi-space-size` would have to be on
 * the command line; this works from within.
 */
const smallNursery = "process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');";

/** Bundled CommonJS dependencies call require. */
const bundledRequire = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";

const shared: Options = { format: ["esm"], target: "node24", platform: "node", dts: false, clean: true };

/** A package for npm: dependencies stay imports; `tsc` writes the declarations. */
export function library(options: Options = {}): ReturnType<typeof defineConfig> {
  return defineConfig({ ...shared, entry: ["src/index.ts"], sourcemap: true, ...options });
}

/** An operator: one file with everything in it, which Node runs as it stands, and the licences of what is not ours. */
export function operator(options: Options = {}): ReturnType<typeof defineConfig> {
  return defineConfig({
    ...shared,
    entry: ["src/main.ts"],
    noExternal: [/.*/],
    splitting: false,
    minify: true,
    banner: { js: smallNursery + bundledRequire },
    removeNodeProtocol: false,
    esbuildPlugins: [lazyBuiltins, withoutUndici, licensesBeside],
    esbuildOptions(esbuild) {
      esbuild.conditions = ["@trimtab/source", ...(esbuild.conditions ?? [])];
    },
    ...options,
  });
}
