import { expect } from "vitest";
import { timestamp, uuidv7 } from "#shared/clock";
import { createNext } from "#shared/envelope";
import { open, seal } from "#shared/envelope/seals";
import type { Branch, Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { OutboxEntry } from "#shared/store/settlement";
import type { IsolatedStage } from "./stage.ts";

export const WAIT_MS = 60_000;

/** A message that is open at a compromised agent, which has its bytes. */
export interface HeldMessage {
  readonly runId: string;
  readonly messageId: string;
  readonly envelope: Envelope;
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
}

/** Somebody else holds the keys and the user of Redis of one agent, and writes into its slot past all of our code. */
export function compromise(stage: IsolatedStage, own: string) {
  const { world } = stage;
  const { keys, redis, runs } = world.store;
  const raw = stage.as(`agent-${own}`);
  const ring: Keyring = stage.ringOf(own);
  /** Messages of a run that lie in the agent's queue. */
  const hold = async (runId: string, count: number): Promise<readonly HeldMessage[]> => {
    const ids = async (): Promise<string[]> =>
      (await runs.messages(runId)).filter(({ agent }) => agent === own).map(({ message_id }) => message_id);
    await expect.poll(async () => (await ids()).length, { timeout: WAIT_MS }).toBe(count);
    return Promise.all(
      (await ids()).map(async (messageId) => {
        const job = keys.job(own, own, messageId);
        await expect.poll(() => raw.exists(job), { timeout: WAIT_MS }).toBe(1);
        const message: unknown = JSON.parse((await raw.hget(job, "data")) ?? "");
        const opened = open({ message, queue: own, jobId: messageId, keyring: ring });
        return { runId, messageId, envelope: opened.envelope, digest: opened.digest };
      }),
    );
  };
  const tellRelay = async (entry: unknown): Promise<string> => {
    const id = uuidv7();
    await raw.hset(keys.outbox(own), id, JSON.stringify(entry));
    await raw.rpush(keys.outboxCalls(own), id);
    return id;
  };
  /** Has the relay deal with an entry. */
  const ask = async (entry: unknown): Promise<void> => {
    const id = await tellRelay(entry);
    const isThere = (): Promise<number> => redis.hexists(keys.outbox(own), id);
    await expect.poll(isThere, { timeout: WAIT_MS, interval: 20 }).toBe(0);
  };
  const childOf = (held: HeldMessage, child: Child): Job => {
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
    const envelope: Envelope = {
      ...made,
      meta: {
        ...meta,
        ...(branch === undefined || branch === null ? {} : { branch }),
        ...(child.joins === undefined ? {} : { joins: child.joins }),
      },
      billing: { ...made.billing, cost_so_far: child.cost ?? made.billing.cost_so_far },
    };
    const sealed = seal({ envelope, queue: to, key: ring.signing(own, to), parent: held.envelope });
    return {
      lane: "fresh",
      agent: to,
      jobId: envelope.meta.message_id,
      data: { ...sealed.message },
      delayMs: 0,
      priority: "normal",
    };
  };
  const eventOf = (
    held: Pick<HeldMessage, "runId" | "messageId">,
    type: RunChange["event"]["type"],
    more: object = {},
  ): RunChange => ({
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
  });
  return { raw, ring, hold, ask, tellRelay, childOf, eventOf };
}

export type Compromised = ReturnType<typeof compromise>;

export const opens = (...sends: readonly Job[]): Pick<RunChange, "opens"> => ({
  opens: sends.map(({ jobId, agent }) => ({ message_id: jobId, agent })),
});

export function entryOf(changes: readonly RunChange[], more: object = {}): OutboxEntry {
  return { id: uuidv7(), at_ms: Date.now(), changes, sends: [], admissions: [], ...more };
}
