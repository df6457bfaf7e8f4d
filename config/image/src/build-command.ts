import type { Engine } from "./engine.ts";
import type { SourceState } from "./source-state.ts";

export interface ImageBuild {
  readonly operator: string;
  readonly version: string;
  readonly tag: string;
  /** What the image stands on. @default the Dockerfile's own */
  readonly base?: string | undefined;
  readonly source: SourceState;
}

export interface BuildCommand {
  readonly command: readonly string[];
  /** Beside what the engine finds in the environment anyway. */
  readonly env: Readonly<Record<string, string>>;
}

/** How `engine` is asked for an image in which no time, and no order of files, is that of the build. */
export function buildCommand(engine: Engine, build: ImageBuild): BuildCommand {
  const { operator, version, tag, base, source } = build;
  const seconds = String(Math.floor(source.committed.getTime() / 1000));
  const buildArgs = {
    ...(base !== undefined && { BASE: base }),
    CREATED: source.committed.toISOString(),
    REVISION: source.revision,
    SOURCE_DATE_EPOCH: seconds,
    VERSION: version,
  };
  const folder = `operators/${operator}`;
  const shared = [
    `--file=${folder}/Dockerfile`,
    `--tag=${tag}`,
    ...Object.entries(buildArgs).map(([name, value]) => `--build-arg=${name}=${value}`),
  ];
  const context = `${folder}/dist`;
  switch (engine) {
    case "docker":
      return {
        command: ["docker", "build", "--network=none", ...shared, context],
        env: { DOCKER_BUILDKIT: "1", SOURCE_DATE_EPOCH: seconds },
      };
    case "podman":
      return { command: ["podman", "build", "--network=none", `--timestamp=${seconds}`, ...shared, context], env: {} };
    case "buildah":
      // The only network that it has under every isolation; nothing is asked of it.
      return { command: ["buildah", "build", "--network=host", `--timestamp=${seconds}`, ...shared, context], env: {} };
  }
}
