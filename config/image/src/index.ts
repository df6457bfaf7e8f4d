export type { BuildImageOptions, BuiltImage } from "./build-image.ts";
export { buildImage } from "./build-image.ts";
export type { CommandOptions } from "./command.ts";
export { run } from "./command.ts";
export type { Engine } from "./engine.ts";
export type { SourceState } from "./source-state.ts";
export { readSourceState } from "./source-state.ts";
