import type { RecordSeal } from "#shared/envelope";

/**
 * What a person wants done with a case. Written down and signed by the console, carried out by the surgeon, which
 * verifies it first and alone can sign a message.
 * - `operate`: the ladder tries again; `release`: send it on, as it is or with `payload`; `redirect`: to agent `to`;
 * - `approve`: a second person stands for the change that another proposed; `discard`: end it; `restore`: undo that.
 */
export const DECISION_KINDS = ["operate", "release", "redirect", "approve", "discard", "restore"] as const;

export type DecisionKind = (typeof DECISION_KINDS)[number];

export interface Decision {
  readonly kind: DecisionKind;
  /** The name that the person goes by: of an API key or a session. */
  readonly by: string;
  /** Who that is, whatever key they used; null where nobody can say, as behind a login link. Absent: older records. */
  readonly person?: string | null;
  readonly why: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** What it is about: this case, in this version, with this message. Absent: older records. */
  readonly case_id?: string;
  readonly version?: number;
  readonly message_id?: string;
  /** The subject's new value, as JSON text so that digits stay as typed; absent: as it is. */
  readonly payload?: string;
  /** Plain name of the agent a `redirect` leads to. */
  readonly to?: string;
  /** For `approve`: the digest of the proposal that the person stands for, as `digestOfProposal` gives it. */
  readonly proposal?: string;
  /** The batch this belongs to. */
  readonly batch_id?: string;
  /** Absent: nobody has signed it, and no surgeon carries it out. */
  readonly seal?: RecordSeal;
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
  /** What the person decided, as they signed it: the rest is for reading. Absent: older records. */
  readonly decision?: Decision;
}
