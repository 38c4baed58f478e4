import { derivedId } from "#shared/clock";
import { branchOf, branchTag, childIdOf, joinOf } from "#shared/envelope";
import type { EnvelopeMeta } from "#shared/envelope";
import { branchFieldOf } from "#shared/runtime";
import type { FanOutOpening, HeldBranch } from "#shared/store/fan-outs";
import type { OpenedMessage, RunChange } from "#shared/store/runs";
import { EntryRefusedError } from "../errors.ts";
import type { ClaimedMessage } from "../errors.ts";
import type { ReadFanOut } from "./read-entry.ts";
import type { OpenedDeadMessage } from "#shared/ward";
import { verifyHandoff } from "./verify-sends.ts";
import type { SenderFacts, VerifiedHandoff } from "./verify-sends.ts";

/**
 * The slot of fan-outs and pending acknowledgements of isolated agents: that of the runs, which no agent can write.
 */
export const RUNS_SLOT = "runs";

/** A verified fan-out, without the time of its opening and what its run has spent until then. */
export type VerifiedFanOut = Omit<FanOutOpening, "openedMs" | "spent">;

/** What an entry opens, according to the seals of the messages. */
export interface VerifiedFamily {
  readonly opens: readonly OpenedMessage[];
  /** Branch of the entry's own message, as these seals name it; null: none. Absent: unknown. */
  readonly branch?: string | null;
  readonly fanOut: VerifiedFanOut | null;
}

/** Child messages of one message: those that are sent, and dead ones. */
interface Children {
  readonly handoffs: readonly VerifiedHandoff[];
  readonly dead: readonly OpenedDeadMessage[];
}

interface Child extends OpenedMessage {
  readonly meta: EnvelopeMeta;
}

/**
 * Verifies handoffs outside a fan-out: each continues the branch of its parent.
 *
 * @returns The branch named by the seals, which the caller compares with the run's record.
 * @throws {EntryRefusedError}
 */
export function verifyInherited(
  { agent }: SenderFacts,
  claimed: ClaimedMessage,
  children: Children,
): VerifiedFamily {
  const all = childrenOf(children);
  const refuse = (problem: string): EntryRefusedError =>
    new EntryRefusedError({ agent, reason: "branch", problem, claimed });
  if (all.some(({ meta }) => joinOf(meta) !== null))
    throw refuse("a handoff waits for a fan-out that the entry does not open");
  const branches = new Set(all.map(({ branch }) => branch ?? null));
  if (branches.size > 1) throw refuse("its handoffs are of several branches");
  const [branch] = branches;
  return { opens: all.map(toOpened), fanOut: null, ...(branch === undefined ? {} : { branch }) };
}

/**
 * Verifies a fan-out: the seals of the branches name it, each number once, and so does that of the message that
 * waits. All ids follow from the message of the entry, so that no agent can open another message's fan-out.
 *
 * @throws {EntryRefusedError}
 */
export function verifyFanOut(
  by: SenderFacts,
  claimed: ClaimedMessage,
  asked: Children & { readonly fanOut: ReadFanOut },
): VerifiedFamily {
  const { agent } = by;
  const { join, needed, least, window, bytesMax, deadlineMs } = asked.fanOut;
  const refuse = (problem: string): EntryRefusedError =>
    new EntryRefusedError({ agent, reason: "branch", problem, claimed });
  if (!by.joins.has(join)) throw refuse(`${join} joins none of its branches`);
  const held = asked.fanOut.held.map(({ send }) => verifyHandoff(by, claimed, send));
  const all = childrenOf({ ...asked, handoffs: [...asked.handoffs, ...held] });
  const total = all.length;
  const fanOutId = childIdOf(claimed.messageId, { from: agent, to: join, index: total });
  const message = verifyHandoff(by, claimed, asked.fanOut.message);
  const { meta, billing } = message.envelope;
  if (message.send.agent !== join || message.send.jobId !== fanOutId || joinOf(meta) !== fanOutId)
    throw refuse("the message that waits for the branches is another one");
  const places = new Set(all.map((child) => placeOf(child)));
  if (places.size !== total) throw refuse("a branch is there twice");
  if (needed > total || least > needed) throw refuse("it waits for more branches than there are");
  if (asked.handoffs.length > window) throw refuse("more branches are under way than may be");
  const started = asked.handoffs.map(({ envelope }) => indexOf(envelope.meta));
  return {
    opens: [openedBy(message), ...childrenOf(asked).map(toOpened)],
    branch: branchFieldOf(meta).branch ?? null,
    fanOut: {
      fanOutId,
      join,
      runId: claimed.runId,
      total,
      needed,
      least,
      window,
      bytesMax,
      deadlineMs,
      expiresMs: meta.expires_at === null ? null : Date.parse(meta.expires_at),
      left: {
        costMicro: Math.max(0, Math.round((billing.cost_limit - billing.cost_so_far) * 1_000_000)),
        tokens: Math.max(0, billing.token_limit - billing.tokens_consumed),
      },
      message: message.send,
      started,
      parked: asked.dead.flatMap(({ envelope }) => (envelope === null ? [] : [indexOf(envelope.meta)])),
      held: held.map((one) => heldBranch(by, claimed, one)),
    },
  };

  /** @returns The branch's number, if its seal names this fan-out. */
  function placeOf({ message_id, agent: to, meta: own }: Child): number {
    const branch = branchOf(own);
    const isOwn =
      branch !== null &&
      joinOf(own) === null &&
      branch.fan_out === fanOutId &&
      branch.join === join &&
      branch.index < total &&
      message_id === childIdOf(claimed.messageId, { from: agent, to, index: branch.index });
    if (!isOwn) throw refuse("a handoff is no branch of the fan-out that it opens");
    return branch.index;
  }
}

function childrenOf({ handoffs, dead }: Children): Child[] {
  const travelling = handoffs.map((one) => ({ ...openedBy(one), meta: one.envelope.meta }));
  const parked = dead.flatMap(({ record, envelope }) =>
    envelope === null
      ? []
      : {
          message_id: record.message_id,
          agent: record.agent,
          ...branchFieldOf(envelope.meta),
          meta: envelope.meta,
        },
  );
  return [...travelling, ...parked];
}

function openedBy({ send, envelope }: VerifiedHandoff): OpenedMessage {
  return { message_id: send.jobId, agent: send.agent, ...branchFieldOf(envelope.meta) };
}

function toOpened({ meta: _meta, ...opened }: Child): OpenedMessage {
  return opened;
}

function indexOf(meta: EnvelopeMeta): number {
  return branchOf(meta)?.index ?? 0;
}

/**
 * Returns a branch that is started later, with the change of its run. Nothing is taken from the agent's own account.
 */
function heldBranch(
  { agent, awaits }: SenderFacts,
  { runId, messageId }: ClaimedMessage,
  one: VerifiedHandoff,
): HeldBranch {
  const opened = openedBy(one);
  const index = indexOf(one.envelope.meta);
  const withinMs = awaits.get(opened.agent);
  const awaited = { sender: RUNS_SLOT, messageId: opened.message_id, agent: opened.agent };
  const change: RunChange = {
    event: {
      // Distinct from any id that an agent may give.
      id: derivedId(messageId, "branch", index),
      run_id: runId,
      type: "handed_off",
      at: one.envelope.meta.timestamp,
      message_id: messageId,
      agent,
      detail: { next: [opened], branch: index },
    },
    opens: [opened],
  };
  return {
    index,
    send: one.send,
    change,
    ...(withinMs === undefined ? {} : { awaited: { ...awaited, withinMs } }),
  };
}

/** Returns the branch of an answer, as the run's record must name it. */
export function tagOf(collected: { readonly fanOutId: string; readonly index: number }): string {
  return branchTag({ fan_out: collected.fanOutId, index: collected.index, join: "" });
}
