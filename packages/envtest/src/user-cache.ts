import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./environment.ts";

/** The user's folder for what may be made again: XDG's, or macOS's where that is not set. */
export function userCache({ XDG_CACHE_HOME }: Environment): string {
  if (XDG_CACHE_HOME !== undefined && XDG_CACHE_HOME !== "") return XDG_CACHE_HOME;
  return process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
}
