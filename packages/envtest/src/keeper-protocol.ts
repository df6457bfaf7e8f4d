/** What a keeper is asked for. */
export type KeeperRequest =
  | {
      readonly type: "start";
      /** Comes back in the answer. */
      readonly id: number;
      readonly command: readonly string[];
      /** The file, inside the keeper's folder, that output is added to. */
      readonly log: string;
      readonly env: Readonly<Record<string, string | undefined>>;
      readonly directory: string;
    }
  | { readonly type: "end" };

/** What a keeper says. */
export type KeeperMessage =
  | { readonly type: "ready"; readonly directory: string }
  | { readonly type: "started"; readonly id: number; readonly pid: number }
  | { readonly type: "failed"; readonly id: number; readonly message: string }
  | {
      readonly type: "exited";
      readonly pid: number;
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    };
