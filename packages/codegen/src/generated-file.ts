/** A file as it is to be, by its name within the folder that it is generated into. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/** Stands at the head of every generated file, and tells it from those that people write. */
export const head = "# Generated from the types under src/api by `pnpm generate`; do not edit.\n";
