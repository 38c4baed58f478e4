/**
 * What a person wants done with a case. Written down by the console or the command line, carried out by the surgeon,
 * the only one that can sign.
 * - `operate`: the ladder tries again; `release`: send it on, as it is or with `payload`; `redirect`: to agent `to`;
 * - `approve`: a second person stands for the change that another proposed; `discard`: end it; `restore`: undo that.
 */
export const DECISION_KINDS = ["operate", "release", "redirect", "approve", "discard", "restore"] as const;

export type DecisionKind = (typeof DECISION_KINDS)[number];

export interface Decision {
  readonly kind: DecisionKind;
  readonly by: string;
  readonly why: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The subject's new value, as JSON text so that digits stay as typed; absent: as it is. */
  readonly payload?: string;
  /** Plain name of the agent a `redirect` leads to. */
  readonly to?: string;
  /** The batch this belongs to. */
  readonly batch_id?: string;
}

/** A person's change that waits for another person's approval. */
export interface Proposal {
  readonly by: string;
  readonly why: string;
  readonly at: string;
  /** JSON text. */
  readonly payload: string;
  /** JSON pointers that need two people. */
  readonly paths: readonly string[];
}
