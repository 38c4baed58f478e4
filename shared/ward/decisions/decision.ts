import { digestOf } from "#shared/envelope/seals";

/**
 * What a person wants done with a case. Recorded by the console, which Redis lets write cases as it lets no agent;
 * carried out by the surgeon, which alone can seal messages.
 * - `operate`: run the ladder again; `release`: redrive it, unchanged or with `payload`; `redirect`: to agent `to`;
 * - `approve`: confirm another person's change; `discard`: end it; `restore`: revert a discard.
 */
export const DECISION_KINDS = ["operate", "release", "redirect", "approve", "discard", "restore"] as const;

export type DecisionKind = (typeof DECISION_KINDS)[number];

export interface Decision {
  readonly kind: DecisionKind;
  /** Name of the person's API key or session. */
  readonly by: string;
  /** Identity of the person, the same for all their API keys; null if unknown, as with a login link. */
  readonly person: string | null;
  readonly why: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** New value of the subject, as JSON text so that digits stay as typed; absent: unchanged. */
  readonly payload?: string;
  /** Plain name of the receiver of a `redirect`. */
  readonly to?: string;
  /** For `approve`: digest of the proposal, as returned by `digestOfProposal`. */
  readonly proposal?: string;
  /** The batch that it belongs to. */
  readonly batch_id?: string;
}

/** A change that waits for a second person's approval. */
export interface Proposal {
  readonly by: string;
  /** As of its decision. */
  readonly person: string | null;
  readonly why: string;
  readonly at: string;
  /** JSON text. */
  readonly payload: string;
  /** JSON pointers of fields that need two people. */
  readonly paths: readonly string[];
}

/** Returns the SHA-256 of a proposal in hex, by which a second person says which one they saw. */
export function digestOfProposal(proposal: Proposal): string {
  return digestOf(JSON.stringify(proposal));
}

/** Returns true for two decisions of different people: keys of one person are one; a login link is nobody. */
export function isAnotherPerson(one: Pick<Decision, "person">, other: Pick<Decision, "person">): boolean {
  return one.person !== null && other.person !== null && one.person !== other.person;
}
