/** A kind of machine, in Node's words. */
export interface Platform {
  /** As `process.platform` says it. */
  readonly os: string;
  /** As `process.arch` says it. */
  readonly architecture: string;
}

/** The machine that this runs on. */
export const thisPlatform: Platform = { os: process.platform, architecture: process.arch };

/** Where they differ from Node's; https://go.dev/doc/install/source#environment */
const goArchitectures: Readonly<Record<string, string>> = { x64: "amd64", ppc64: "ppc64le" };

/** What Go calls the architecture, and with it all that Kubernetes releases. */
export function goArchitecture({ architecture }: Platform): string {
  return goArchitectures[architecture] ?? architecture;
}
