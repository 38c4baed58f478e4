import type { Envelope } from "#shared/envelope";
import type { Team } from "#shared/runtime";
import { handoffBounds } from "#shared/runtime/settle";
import type { Job } from "#shared/store/queues";
import type { HeldMessage, RunChange } from "#shared/store/runs";
import type { Admission, CollectedBranch } from "#shared/store/settlement";
import type { CaseAdmission, OpenedDeadMessage } from "#shared/ward";
import { EntryRefusedError } from "../errors.ts";
import { readEntry } from "./read-entry.ts";
import type { ReadChange, ReadEntry } from "./read-entry.ts";
import { verifyAdmission } from "./verify-admission.ts";
import { tagOf, verifyFanOut, verifyInherited } from "./verify-branches.ts";
import type { VerifiedFamily, VerifiedFanOut } from "./verify-branches.ts";
import { verifyDeadChild, verifyOwnChange } from "./verify-changes.ts";
import type { CostBounds } from "./verify-changes.ts";
import { verifyHandoff, verifyRetry } from "./verify-sends.ts";
import type { SenderFacts } from "./verify-sends.ts";

/** What the relay knows of an agent from the loaded teams. */
export interface RelayedAgent extends SenderFacts {
  /** The first team that has it, whose limits apply. */
  readonly team: Team;
  readonly costs: CostBounds;
  /** When all runs may be scanned again for a message of this agent. */
  readonly looking: { turn: Promise<unknown> };
}

/**
 * A verified entry: seals and declarations allow all of its parts. Whether the agent holds the message is decided by
 * the run's record.
 */
export interface SoundEntry {
  readonly kind: "told";
  readonly held: HeldMessage;
  /** The first one is about the message itself. */
  readonly changes: readonly RunChange[];
  readonly sends: readonly Job[];
  /** Sealed handoffs. */
  readonly handed: readonly Envelope[];
  readonly admissions: readonly Admission[];
  /** Admitted messages, in the same order. */
  readonly messages: readonly OpenedDeadMessage[];
  /** Null: none. */
  readonly fanOut: VerifiedFanOut | null;
  /** Answer of a branch at this agent; null: none. */
  readonly collected: CollectedBranch | null;
  /** Number of handoffs, including branches that are not started. */
  readonly made: number;
  /** Maximum handoffs of its run, if it makes several. */
  readonly ofRunMax: number;
}

/** A message that its receiver could not read, so that its run is unknown. */
export interface UnreadMessage {
  readonly kind: "unread";
  readonly record: CaseAdmission;
}

/** A retry that changes no run. */
export interface UntoldRetry {
  readonly kind: "retry";
  readonly send: Job;
}

/**
 * Verifies one outbox entry of an agent. Pure.
 *
 * @throws {EntryRefusedError} The agent must not do what it asks for.
 */
export function verifyEntry(by: RelayedAgent, text: string): SoundEntry | UnreadMessage | UntoldRetry {
  const entry = readEntry(by.agent, text);
  const [own, ...further] = entry.changes;
  if (own === undefined) return verifyUntold(by, entry);
  const { claimed } = verifyOwnChange(by.agent, own, by.costs);
  const opens = own.opens ?? [];
  const bounds = handoffBounds(agentOf(by), by.team);
  const refuse = (reason: "send" | "admission" | "handoffs" | "branch", problem: string): never => {
    throw new EntryRefusedError({ agent: by.agent, reason, problem, claimed });
  };
  const made = opens.length + (entry.fanOut?.held.length ?? 0);
  if (made > bounds.ofMessage) refuse("handoffs", `it opens ${made} messages at once`);
  for (const change of further) verifyDeadChild(by.agent, claimed, change);
  if (entry.collected !== undefined) requireOnlyCollected(entry, () => refuse("branch", NOT_ONLY_COLLECTED));
  const isRetry = own.moves?.state === "open";
  const handoffs = isRetry ? [] : entry.sends.map((send) => verifyHandoff(by, claimed, send));
  const retries = isRetry ? entry.sends.map((send) => verifyRetry(by.agent, claimed.messageId, send)) : [];
  if (isRetry && retries.length !== 1) refuse("send", "a retry is one delivery");
  const messages = entry.admissions.map((one) => verifyAdmission(by, claimed, one));
  const isWard = own.moves?.state === "in_ward" || own.moves?.state === "quarantined";
  const deadIds = further.map(({ event }) => [event.message_id, event.agent] as const);
  expectSame(
    [...(isWard ? [[claimed.messageId, by.agent] as const] : []), ...deadIds],
    messages.map(({ record }) => [record.message_id, record.agent] as const),
    () => refuse("admission", "its admissions are not those of the messages that are dead"),
  );
  const dead = messages.filter(({ record }) => record.message_id !== claimed.messageId);
  const family =
    entry.fanOut === undefined
      ? verifyInherited(by, claimed, { handoffs, dead })
      : verifyFanOut(by, claimed, { handoffs, dead, fanOut: entry.fanOut });
  expectSame(
    opens.map(({ message_id, agent }) => [message_id, agent] as const),
    family.opens.map(({ message_id, agent }) => [message_id, agent] as const),
    () => refuse("send", "its handoffs are not the messages that it opens"),
  );
  const branch = branchNamedBy({ entry, own, family, admitted: messages });
  return {
    kind: "told",
    held: {
      ...claimed,
      agent: by.agent,
      opens: family.opens,
      ...(branch === undefined ? {} : { branch }),
    },
    // The seals name the branch of the opened messages.
    changes: [opens.length === 0 ? own : { ...own, opens: family.opens }, ...further],
    sends: [...retries, ...handoffs.map(({ send }) => send)],
    handed: handoffs.map(({ envelope }) => envelope),
    admissions: entry.admissions,
    messages,
    fanOut: family.fanOut,
    collected: entry.collected ?? null,
    made,
    ofRunMax: bounds.ofRun,
  };
}

const NOT_ONLY_COLLECTED = "it tells more of a branch that came back than that";

/** A returned branch closes its last message, and has no other effect than the relay's own count. */
function requireOnlyCollected({ changes, sends, admissions, fanOut }: ReadEntry, refuse: () => never): void {
  const [own] = changes;
  const isOnly =
    changes.length === 1 &&
    own?.event.type === "completed" &&
    own.result === undefined &&
    sends.length === 0 &&
    admissions.length === 0 &&
    fanOut === undefined;
  if (!isOnly) refuse();
}

/**
 * Returns the branch that an entry implies for its own message; null: none, because the end of a branch is not the
 * end of its run. Undefined if it implies nothing.
 */
function branchNamedBy({
  entry,
  own,
  family,
  admitted,
}: {
  readonly entry: ReadEntry;
  readonly own: ReadChange;
  readonly family: VerifiedFamily;
  readonly admitted: readonly OpenedDeadMessage[];
}): string | null | undefined {
  if (entry.collected !== undefined) return tagOf(entry.collected);
  if (family.branch !== undefined) return family.branch;
  const isEnd = own.end !== undefined || own.error !== undefined || own.result !== undefined;
  if (isEnd) return null;
  return admitted.find(({ record }) => record.message_id === own.event.message_id)?.record.branch;
}

function agentOf({ team, agent }: RelayedAgent) {
  return team.agents.get(agent) ?? team.entry;
}

/** Without a run change an agent may ask only for the admission of an unread message, or for a retry. */
function verifyUntold(by: RelayedAgent, { sends, admissions }: ReadEntry): UnreadMessage | UntoldRetry {
  const [send, ...moreSends] = sends;
  const [admission, ...more] = admissions;
  if (admission === undefined && send !== undefined && moreSends.length === 0)
    return { kind: "retry", send: verifyRetry(by.agent, null, send) };
  const refuse = (problem: string): never => {
    throw new EntryRefusedError({ agent: by.agent, reason: "admission", problem });
  };
  if (admission === undefined || more.length > 0 || send !== undefined)
    return refuse("it tells no run anything and asks for more than one message's admission");
  const { record } = verifyAdmission(by, null, admission);
  if (record.bytes !== null || record.run_id !== "" || record.agent !== by.agent)
    return refuse("it admits a message without telling its run");
  return { kind: "unread", record };
}

type Placed = readonly (readonly [messageId: string, agent: string])[];

/** Checks for the same messages at the same agents, each once. */
function expectSame(expected: Placed, found: Placed, refuse: () => never): void {
  const places = new Map(expected);
  const isSame =
    places.size === expected.length &&
    found.length === expected.length &&
    new Map(found).size === found.length &&
    found.every(([messageId, agent]) => places.get(messageId) === agent);
  if (!isSame) refuse();
}
