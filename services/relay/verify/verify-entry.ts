import type { Envelope } from "#shared/envelope";
import { handoffBounds } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { Admission, HeldMessage, RunChange, SendRequest } from "#shared/store";
import type { CaseAdmission, OpenedLetter } from "#shared/ward";
import { EntryRefusedError } from "../errors.ts";
import { readEntry } from "./read-entry.ts";
import type { ReadEntry } from "./read-entry.ts";
import { verifyAdmission } from "./verify-admission.ts";
import { verifyDeadChild, verifyOwnChange } from "./verify-changes.ts";
import type { CostBounds } from "./verify-changes.ts";
import { verifyHandoff, verifyRetry } from "./verify-sends.ts";
import type { SenderFacts } from "./verify-sends.ts";

/** What the relay knows of an agent by the loaded teams, and by what it verifies. */
export interface RelayedAgent extends SenderFacts {
  /** The first team that has it, whose bounds count. */
  readonly team: Team;
  readonly costs: CostBounds;
  /** When all runs may be searched again for a message of this agent. */
  readonly looking: { turn: Promise<unknown> };
}

/**
 * An entry whose every part this agent may ask for, as far as seals and declarations say. Whether it has the message,
 * the run's record says as it is told.
 */
export interface SoundEntry {
  readonly kind: "told";
  readonly held: HeldMessage;
  /** The first is about the message itself. */
  readonly changes: readonly RunChange[];
  readonly sends: readonly SendRequest[];
  /** What it hands on, as sealed. */
  readonly handed: readonly Envelope[];
  readonly admissions: readonly Admission[];
  /** What was admitted, in the same order. */
  readonly letters: readonly OpenedLetter[];
  /** Where it opens several messages, what its run may make in all. */
  readonly ofRunMax: number;
}

/** A letter that its receiver could not read, so that it cannot say which run waits for it. */
export interface UnreadLetter {
  readonly kind: "unread";
  readonly record: CaseAdmission;
}

/** A delivery to be tried again of which no run is told. */
export interface UntoldRetry {
  readonly kind: "retry";
  readonly send: SendRequest;
}

/**
 * Verifies one entry of an agent's outbox. Pure.
 *
 * @throws {EntryRefusedError} It asks for something that this agent may not do.
 */
export function verifyEntry(by: RelayedAgent, text: string): SoundEntry | UnreadLetter | UntoldRetry {
  const entry = readEntry(by.agent, text);
  const [own, ...further] = entry.changes;
  if (own === undefined) return verifyUntold(by, entry);
  const { claimed } = verifyOwnChange(by.agent, own, by.costs);
  const opens = own.opens ?? [];
  const bounds = handoffBounds(agentOf(by), by.team);
  const refuse = (reason: "send" | "admission" | "handoffs", problem: string): never => {
    throw new EntryRefusedError({ agent: by.agent, reason, problem, claimed });
  };
  if (opens.length > bounds.ofMessage) refuse("handoffs", `it opens ${opens.length} messages at once`);
  for (const change of further) verifyDeadChild(by.agent, claimed, change);
  const isRetry = own.moves?.state === "open";
  const handoffs = isRetry ? [] : entry.sends.map((send) => verifyHandoff(by, claimed, send));
  const retries = isRetry ? entry.sends.map((send) => verifyRetry(by.agent, claimed.messageId, send)) : [];
  if (isRetry && retries.length !== 1) refuse("send", "a retry is one delivery");
  const letters = entry.admissions.map((one) => verifyAdmission(by, claimed, one));
  const isWard = own.moves?.state === "in_ward" || own.moves?.state === "quarantined";
  const dead = further.map(({ event }) => [event.message_id, event.agent] as const);
  expectSame(
    [...(isWard ? [[claimed.messageId, by.agent] as const] : []), ...dead],
    letters.map(({ record }) => [record.message_id, record.agent] as const),
    () => refuse("admission", "its admissions are not those of the letters that are dead"),
  );
  expectSame(
    opens.map(({ message_id, agent }) => [message_id, agent] as const),
    [...handoffs.map(({ send }) => [send.jobId, send.agent] as const), ...dead],
    () => refuse("send", "its handoffs are not the messages that it opens"),
  );
  return {
    kind: "told",
    held: { ...claimed, agent: by.agent, opens },
    changes: entry.changes,
    sends: [...retries, ...handoffs.map(({ send }) => send)],
    handed: handoffs.map(({ envelope }) => envelope),
    admissions: entry.admissions,
    letters,
    ofRunMax: bounds.ofRun,
  };
}

function agentOf({ team, agent }: RelayedAgent) {
  return team.agents.get(agent) ?? team.entry;
}

/** Where no run is told anything, an agent may ask for two things: to admit an unread letter, or for another try. */
function verifyUntold(by: RelayedAgent, { sends, admissions }: ReadEntry): UnreadLetter | UntoldRetry {
  const [send, ...moreSends] = sends;
  const [admission, ...more] = admissions;
  if (admission === undefined && send !== undefined && moreSends.length === 0)
    return { kind: "retry", send: verifyRetry(by.agent, null, send) };
  const refuse = (problem: string): never => {
    throw new EntryRefusedError({ agent: by.agent, reason: "admission", problem });
  };
  if (admission === undefined || more.length > 0 || send !== undefined)
    return refuse("it tells no run anything and asks for more than one letter's admission");
  const { record } = verifyAdmission(by, null, admission);
  if (record.bytes !== null || record.run_id !== "" || record.agent !== by.agent)
    return refuse("it admits a letter without telling its run");
  return { kind: "unread", record };
}

type Placed = readonly (readonly [messageId: string, agent: string])[];

/** The same messages at the same agents, each once. */
function expectSame(expected: Placed, found: Placed, refuse: () => never): void {
  const places = new Map(expected);
  const isSame =
    places.size === expected.length &&
    found.length === expected.length &&
    new Map(found).size === found.length &&
    found.every(([messageId, agent]) => places.get(messageId) === agent);
  if (!isSame) refuse();
}
