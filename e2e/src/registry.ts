import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@trimtab/envtest";
import { RunningProgram } from "./running-program.ts";

export interface Registry {
  /** `host:port`, as references to images begin. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts a registry of images on the loopback interface, which keeps them in `folder`. */
export async function startRegistry(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Registry> {
  const address = `127.0.0.1:${await freePort()}`;
  const config = { version: "0.1", storage: { filesystem: { rootdirectory: folder } }, http: { addr: address } };
  const path = join(folder, "config.yml");
  // JSON is YAML too.
  await writeFile(path, JSON.stringify(config));
  const program = new RunningProgram(["docker-registry", "serve", path], env);
  await program.wrote("listening on");
  return {
    address,
    stop: async () => {
      program.kill("SIGTERM");
      await program.exited;
    },
  };
}
