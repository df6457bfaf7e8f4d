import { type CommandOptions, run } from "./command.ts";

/** Which sources an image is made of. */
export interface SourceState {
  /** The commit; `-dirty` after it says that there is more than was committed. */
  readonly revision: string;
  /** When it was committed: the one time that an image holds. */
  readonly committed: Date;
}

/** Reads it off the git repository of the folder. */
export async function readSourceState(options: CommandOptions): Promise<SourceState> {
  const [log, changes] = await Promise.all([
    run(["git", "log", "--max-count=1", "--format=%H %ct"], options),
    run(["git", "status", "--porcelain", "--untracked-files=no"], options),
  ]);
  const [revision = "", seconds] = log.trim().split(" ");
  return {
    revision: changes === "" ? revision : `${revision}-dirty`,
    committed: new Date(Number(seconds) * 1000),
  };
}
