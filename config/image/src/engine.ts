/** What builds images. */
export type Engine = "docker" | "podman" | "buildah";

/** A question that only an engine which works answers: a docker client without its daemon does not. */
const questions: Readonly<Record<Engine, readonly string[]>> = {
  docker: ["docker", "version", "--format={{.Server.Version}}"],
  podman: ["podman", "info"],
  buildah: ["buildah", "info"],
};

/** In the order in which they are asked. */
export const engines: readonly Engine[] = ["docker", "podman", "buildah"];

/**
 * The first engine that answers.
 *
 * @param ask runs a command, and rejects if it fails
 * @throws {Error} if none does, with what each of them said
 */
export async function findEngine(ask: (command: readonly string[]) => Promise<unknown>): Promise<Engine> {
  const refusals: string[] = [];
  for (const engine of engines) {
    try {
      await ask(questions[engine]);
      return engine;
    } catch (error) {
      const lines = (error instanceof Error ? error.message : String(error)).trim().split("\n");
      refusals.push(`  ${engine}: ${lines.at(-1)}`);
    }
  }
  throw new Error(
    `nothing here builds images:\n${refusals.join("\n")}\ninstall and start one of them; on Debian, \`apt-get install buildah\` is the smallest`,
  );
}
