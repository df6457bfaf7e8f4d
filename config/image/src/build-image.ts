import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildCommand } from "./build-command.ts";
import { type CommandOptions, run } from "./command.ts";
import { type Engine, findEngine } from "./engine.ts";
import { readSourceState, type SourceState } from "./source-state.ts";

export interface BuildImageOptions extends CommandOptions {
  /** The repository's folder. */
  readonly directory: string;
  /** By its folder in `operators`. */
  readonly operator: string;
  /** @default `<operator>:v<version>`, as the manifests name it */
  readonly tag?: string | undefined;
  /** What the image stands on: Node 24 at /nodejs/bin/node. @default the Dockerfile's own */
  readonly base?: string | undefined;
  /** Which sources it is said to be made of. @default the folder's */
  readonly source?: SourceState | undefined;
  /** What builds it, and keeps it. @default the first of docker, podman and buildah that answers */
  readonly engine?: Engine | undefined;
}

export interface BuiltImage {
  readonly tag: string;
  /** What built it, and has it now. */
  readonly engine: Engine;
}

/**
 * Builds an operator's image of its bundle, which must have been built.
 *
 * @throws {Error} if there is no such operator, no engine that answers, or the engine fails
 */
export async function buildImage(options: BuildImageOptions): Promise<BuiltImage> {
  const { directory, operator, base } = options;
  const operators = readdirSync(join(directory, "operators"));
  if (!operators.includes(operator))
    throw new Error(`there is no operator "${operator}": one of ${operators.join(", ")}`);
  const manifest = readFileSync(join(directory, "operators", operator, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const { tag = `${operator}:v${version}` } = options;
  const { onLine: _, ...quietly } = options;
  const [source, engine] = await Promise.all([
    options.source ?? readSourceState(quietly),
    options.engine ?? findEngine((command) => run(command, quietly)),
  ]);
  const { command, env } = buildCommand(engine, { operator, version, tag, base, source });
  await run(command, { ...options, env: { ...options.env, ...env } });
  return { tag, engine };
}
