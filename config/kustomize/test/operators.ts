import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const operators = ["memcached-operator", "podset-operator", "secret-operator"] as const;
export type OperatorName = (typeof operators)[number];

/** What the samples of each make, in the namespace `default`. */
export const sampleOf: Readonly<Record<OperatorName, string>> = {
  "memcached-operator": "memcached/memcached-sample",
  "podset-operator": "podset/podset-sample",
  "secret-operator": "multisecret/multisecret-sample",
};

/** Of the repository. */
export const root = resolve(import.meta.dirname, "../../..");

/** The path of something of an operator's. */
export function pathOf(operator: OperatorName, ...segments: readonly string[]): string {
  return join(root, "operators", operator, ...segments);
}

export function componentPath(component: string): string {
  return join(root, "config/kustomize", component);
}

export function versionOf(operator: OperatorName): string {
  const { version } = JSON.parse(readFileSync(pathOf(operator, "package.json"), "utf8")) as {
    readonly version: string;
  };
  return version;
}
