import { timestamp, uuidv7 } from "#shared/clock";
import { createNext } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import type { Branch, Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { OutboxEntry } from "#shared/store/settlement";

/** A message that is open at a compromised agent, which has its bytes. */
export interface HeldMessage {
  readonly runId: string;
  readonly messageId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly envelope: Envelope;
  readonly bytes: string;
  readonly digest: string;
}

/** What a compromised agent seals of its own. */
export interface Child {
  readonly to: string;
  readonly contract: string;
  readonly payload: unknown;
  readonly index?: number;
  /** Written over what honestly follows from its parent; null takes it out. */
  readonly branch?: Branch | null;
  readonly joins?: string;
  readonly cost?: number;
  readonly runId?: string;
}

export const opens = (...sends: readonly Job[]): Pick<RunChange, "opens"> => ({
  opens: sends.map(({ jobId, agent }) => ({ message_id: jobId, agent })),
});

export function entryOf(changes: readonly RunChange[], more: object = {}): OutboxEntry {
  return { id: uuidv7(), at_ms: Date.now(), changes, sends: [], admissions: [], ...more };
}

/** What the agent `own` says of a message: that it is closed, unless `more` says otherwise. */
export function eventBy(
  own: string,
  held: Pick<HeldMessage, "runId" | "messageId">,
  type: RunChange["event"]["type"],
  more: object = {},
): RunChange {
  return {
    event: {
      id: `${held.messageId}/${type}`,
      run_id: held.runId,
      type,
      at: timestamp(),
      message_id: held.messageId,
      agent: own,
      detail: {},
    },
    moves: { state: "closed", rank: rankOf.closed() },
    ...more,
  };
}

function childEnvelope(own: string, held: HeldMessage, child: Child): Envelope {
  const { to, contract, payload, index = 0 } = child;
  const made = createNext({
    parent: held.envelope,
    parentDigest: held.digest,
    from: `${own}@1`,
    to: `${to}@1`,
    contract,
    payload,
    index,
  });
  const { branch: inherited, ...meta } = made.meta;
  const branch = child.branch === undefined ? inherited : child.branch;
  return {
    ...made,
    meta: {
      ...meta,
      ...(branch === undefined || branch === null ? {} : { branch }),
      ...(child.joins === undefined ? {} : { joins: child.joins }),
      ...(child.runId === undefined ? {} : { run_id: child.runId }),
    },
    billing: { ...made.billing, cost_so_far: child.cost ?? made.billing.cost_so_far },
  };
}

/** A child, sealed with the key that the agent `own` has for that edge. */
export function childBy(own: string, ring: Keyring, held: HeldMessage, child: Child): Job {
  const { to } = child;
  const envelope = childEnvelope(own, held, child);
  const sealed = seal({ envelope, queue: to, key: ring.signing(own, to), parent: held.envelope });
  return {
    lane: "fresh",
    agent: to,
    jobId: envelope.meta.message_id,
    data: { ...sealed.message },
    delayMs: 0,
    priority: "normal",
  };
}

/**
 * What somebody forges who holds one agent's keys.
 *
 * @param own.to - The agent that it may hand to.
 * @param own.contract - Of what it hands on.
 */
export function forger(own: { readonly agent: string; readonly to: string; readonly contract: string }) {
  const { agent, to, contract } = own;
  const passOn = (held: HeldMessage, more: Partial<Child>): Child => ({
    to,
    contract,
    payload: held.envelope.data_payload,
    ...more,
  });
  return {
    eventOf: (
      held: Pick<HeldMessage, "runId" | "messageId">,
      type: RunChange["event"]["type"],
      more: object = {},
    ): RunChange => eventBy(agent, held, type, more),
    envelopeOf: (held: HeldMessage, more: Partial<Child> = {}): Envelope =>
      childEnvelope(agent, held, passOn(held, more)),
    childOf: (held: HeldMessage, ring: Keyring, more: Partial<Child> = {}): Job =>
      childBy(agent, ring, held, passOn(held, more)),
  };
}
