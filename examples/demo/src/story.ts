import type { Client } from "@trimtab/client";

/** One operator's part of the story: what is done to its objects, and what must come of it. `View` is what it looks at. */
export interface Act<View> {
  readonly title: string;
  /** Shown first: the file that a user would write, from the repository's root. */
  readonly sample: string;
  /** Whose log is shown if a step fails. */
  readonly operator: string;
  readonly look: (client: Client, signal: AbortSignal) => Promise<View>;
  readonly steps: readonly Step<View>[];
}

export interface Step<View> {
  /** What comes of the command, as a claim that holds from then on. */
  readonly claim: string;
  /** What a person types after `kubectl`; `before` is what there was to see. */
  readonly command: (before: View) => readonly string[];
  /** The command is refused, and that is right. @default false */
  readonly refused?: boolean;
  /** What the claim still lacks; `undefined` once it holds. */
  readonly lacks: (now: View, before: View) => string | undefined;
  /** What a person would look at then: each the arguments of a `kubectl get`. @default nothing */
  readonly show?: readonly (readonly string[])[];
}

/** The namespace of a command that names no other. */
export const stageNamespace = "trimtab-demo";
/** All that the story writes to; of the last, it makes the namespace itself. */
export const stageNamespaces: readonly string[] = [
  stageNamespace,
  "trimtab-demo-blue",
  "trimtab-demo-green",
  "trimtab-demo-late",
];
