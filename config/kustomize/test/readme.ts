import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type OperatorName, pathOf, root } from "./operators.ts";
import type { OverlayOptions } from "./render.ts";

/** A fenced block of a section of the operator's README. */
function block(operator: OperatorName, section: string, language: string): string {
  const sections = readFileSync(pathOf(operator, "README.md"), "utf8").split("\n## ");
  const text = sections.find((each) => each.startsWith(`${section}\n`)) ?? "";
  const [, found] = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``).exec(text) ?? [];
  if (found === undefined) throw new Error(`README.md of ${operator} has no ${language} in its section ${section}`);
  return found;
}

/** What the README has its reader type, at the root of the repository. */
export function commandsOf(operator: OperatorName, section: "Install" | "Uninstall"): string {
  return block(operator, section, "sh");
}

/** The overlay that the README gives for an example. */
export function overlayOf(operator: OperatorName): OverlayOptions {
  const overlay = parse(block(operator, "Install", "yaml")) as OverlayOptions;
  const absolute = (paths: readonly string[] = []) => paths.map((path) => `${root}/${path}`);
  return { ...overlay, resources: absolute(overlay.resources), components: absolute(overlay.components) };
}
