/** A file as it is to be, by its path within the folder that it is generated into. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Stands at the head of every generated file, and tells it from those that people write.
 *
 * @param source what one edits instead
 */
export function headOf(source: string): string {
  return `# Generated from ${source} by \`pnpm generate\`; do not edit.\n`;
}

export function isGenerated(text: string): boolean {
  return /^# Generated from [^\n]+ by `pnpm generate`; do not edit\.\n/.test(text);
}
