import { timestamp, uuidv7 } from "#shared/clock";
import { createNext } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { OutboxEntry } from "#shared/store/settlement";

/** A message that lies at the compromised agent, as that agent opens it. */
export interface Held {
  readonly runId: string;
  readonly messageId: string;
  readonly envelope: Envelope;
  readonly digest: string;
}

export const opens = (...sends: readonly Job[]): object => ({
  opens: sends.map(({ jobId, agent }) => ({ message_id: jobId, agent })),
});

export function entryOf(changes: readonly RunChange[], more: Partial<OutboxEntry> = {}): OutboxEntry {
  return { id: uuidv7(), at_ms: Date.now(), changes, sends: [], admissions: [], ...more };
}

/**
 * What somebody writes into the outbox who holds this agent's keys.
 *
 * @param own.to - The agent that it may hand to.
 * @param own.contract - Of what it hands on.
 */
export function forger(own: { readonly agent: string; readonly to: string; readonly contract: string }) {
  function eventOf(held: Pick<Held, "runId" | "messageId">, type: string, more: object = {}): RunChange {
    return {
      event: {
        id: `${held.messageId}/${type}`,
        run_id: held.runId,
        type: type as RunChange["event"]["type"],
        at: timestamp(),
        message_id: held.messageId,
        agent: own.agent,
        detail: {},
      },
      moves: { state: "closed", rank: rankOf.closed() },
      ...more,
    };
  }

  function childEnvelope(held: Held, to = own.to, index = 0): { readonly envelope: Envelope } {
    const envelope = createNext({
      parent: held.envelope,
      parentDigest: held.digest,
      from: `${own.agent}@1`,
      to: `${to}@1`,
      contract: own.contract,
      payload: held.envelope.data_payload,
      index,
    });
    return { envelope };
  }

  /** A child, sealed as the agent may. @param change - What is in it instead of what the parent gives. */
  function childOf(
    held: Held,
    ring: Keyring,
    { to = own.to, index = 0, change = (made: Envelope): Envelope => made } = {},
  ): Job {
    const envelope = change(childEnvelope(held, to, index).envelope);
    const sealed = seal({ envelope, queue: to, key: ring.signing(own.agent, to), parent: held.envelope });
    return {
      lane: "fresh",
      agent: to,
      jobId: envelope.meta.message_id,
      data: { ...sealed.message },
      delayMs: 0,
      priority: "normal",
    };
  }

  return { eventOf, childEnvelope, childOf };
}
