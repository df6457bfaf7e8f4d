import { builtinModules } from "node:module";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

const builtins: ReadonlySet<string> = new Set(builtinModules);

/**
 * Has Node's own modules loaded when they are first used. An `import` of one from an ES module runs all of its
 * getters, and that of `node:http` alone loads Node's undici and HTTP/2 for `http.WebSocket`: several megabytes
 * and tens of milliseconds in a process that uses neither.
 */
export const lazyBuiltins: Plugin = {
  name: "lazy-builtins",
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?[a-z0-9_]+(?:\/[a-z0-9_/]+)?$/ }, ({ path }) => {
      const name = path.replace(/^node:/, "");
      return builtins.has(name) ? { path: name, namespace: "builtin" } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("node:${path}");`,
    }));
  },
};

/** client-node's own transport, half of a bundle's size, which `@trimtab/client` never calls. */
export const withoutUndici: Plugin = {
  name: "without-undici",
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: "left-out" }));
    build.onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => function leftOut() {
        throw new Error("${path}'s " + String(name) + " is not in this bundle");
      } });`,
    }));
  },
};
