import { z } from "zod";
import { digestOf } from "#shared/envelope/seals";

/**
 * A person's decision on a case. Recorded by the console, which Redis lets write cases as it lets no agent;
 * carried out by the surgeon, which alone can seal messages.
 * - `operate`: run the ladder again; `release`: redrive it, unchanged or with `payload`; `redirect`: to agent `to`;
 * - `approve`: confirm another person's change; `discard`: end it; `restore`: revert a discard.
 * In the order in which people are offered them.
 */
export const DECISION_KINDS = ["approve", "release", "redirect", "operate", "discard", "restore"] as const;

export type DecisionKind = (typeof DECISION_KINDS)[number];

export const decisionSchema = z.object({
  kind: z.enum(DECISION_KINDS),
  /** Name of the person's API key or session. */
  by: z.string(),
  /** Identity of the person, the same for all their API keys; null if unknown, as with a login link. */
  person: z.string().nullable(),
  why: z.string(),
  /** RFC 3339, UTC. */
  at: z.string(),
  /** New value of the subject, as JSON text so that digits stay as typed; absent: unchanged. */
  payload: z.string().exactOptional(),
  /** Plain name of the receiver of a `redirect`. */
  to: z.string().exactOptional(),
  /** For `approve`: digest of the proposal, as returned by `digestOfProposal`. */
  proposal: z.string().exactOptional(),
  /** The batch that it belongs to. */
  batch_id: z.string().exactOptional(),
});

export type Decision = Readonly<z.infer<typeof decisionSchema>>;

/** A decision that waits for somebody's signature: a change that needs a second person, or what was proposed. */
export const proposalSchema = z.object({
  ...decisionSchema.pick({ by: true, person: true, why: true, at: true }).shape,
  decision: z.enum(["release", "discard"]).exactOptional().meta({
    description: "What was proposed, for anybody to sign; absent: a change that needs a second person.",
  }),
  /** JSON text. Absent where a discard is proposed. */
  payload: z.string().exactOptional(),
  /** JSON pointers of fields that need two people. */
  paths: z.array(z.string()),
});

export type Proposal = Readonly<z.infer<typeof proposalSchema>>;

/** Returns the SHA-256 of a proposal in hex, by which a second person says which one they saw. */
export function digestOfProposal(proposal: Proposal): string {
  return digestOf(JSON.stringify(proposal));
}

/** Returns true for two decisions of different people: keys of one person are one; a login link is nobody. */
export function isAnotherPerson(one: Pick<Decision, "person">, other: Pick<Decision, "person">): boolean {
  return one.person !== null && other.person !== null && one.person !== other.person;
}
