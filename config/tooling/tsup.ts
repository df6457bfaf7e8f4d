import { defineConfig, type Options } from "tsup";
import { lazyBuiltins, withoutUndici } from "./lean-bundle.ts";

const shared: Options = { format: ["esm"], target: "node24", platform: "node", dts: false, clean: true };

/** A package for npm: dependencies stay imports; `tsc` writes the declarations. */
export function library(options: Options = {}): ReturnType<typeof defineConfig> {
  return defineConfig({ ...shared, entry: ["src/index.ts"], sourcemap: true, ...options });
}

/** An operator: one file with everything in it, which Node runs as it stands. */
export function operator(options: Options = {}): ReturnType<typeof defineConfig> {
  return defineConfig({
    ...shared,
    entry: ["src/main.ts"],
    noExternal: [/.*/],
    splitting: false,
    minify: true,
    // Bundled CommonJS dependencies call require.
    banner: { js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);" },
    removeNodeProtocol: false,
    esbuildPlugins: [lazyBuiltins, withoutUndici],
    esbuildOptions(esbuild) {
      esbuild.conditions = ["@trimtab/source", ...(esbuild.conditions ?? [])];
    },
    ...options,
  });
}
