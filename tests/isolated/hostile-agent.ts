import { expect } from "vitest";
import { timestamp, uuidv7 } from "#shared/clock";
import { createNext } from "#shared/envelope";
import { open, seal } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { OutboxEntry } from "#shared/store/settlement";
import type { IsolatedStage } from "./stage.ts";

const WAIT_MS = 60_000;

/** A message that is open at the compromised agent, which has its bytes. */
export interface HeldMessage {
  readonly runId: string;
  readonly messageId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly envelope: Envelope;
  readonly bytes: string;
  readonly digest: string;
}

/** One agent in the hands of somebody who has its keys and its user of Redis, and none of our code. */
export function takeOver(stage: IsolatedStage, name: string) {
  const { world } = stage;
  const { keys, redis, runs } = world.store;
  const raw = stage.as(`agent-${name}`);
  const ring = stage.ringOf(name);

  const hold = async (runId: string): Promise<HeldMessage> => {
    const find = async (): Promise<string> =>
      (await runs.messages(runId)).find(({ agent }) => agent === name)?.message_id ?? "";
    await expect.poll(find, { timeout: WAIT_MS }).not.toBe("");
    const messageId = await find();
    const job = keys.job(name, name, messageId);
    await expect.poll(() => raw.exists(job), { timeout: WAIT_MS }).toBe(1);
    const data = JSON.parse((await raw.hget(job, "data")) ?? "") as Record<string, unknown>;
    const { envelope, bytes, digest } = open({ message: data, queue: name, jobId: messageId, keyring: ring });
    return { runId, messageId, data, envelope, bytes, digest };
  };

  const tellRelay = async (entry: OutboxEntry): Promise<void> => {
    await raw.hset(keys.outbox(name), entry.id, JSON.stringify(entry));
    await raw.rpush(keys.outboxCalls(name), entry.id);
    await expect
      .poll(() => redis.hexists(keys.outbox(name), entry.id), { timeout: WAIT_MS, interval: 20 })
      .toBe(0);
  };

  /** What becomes of a held message, as its agent tells it. */
  const told = (held: HeldMessage, type: RunChange["event"]["type"], more: object = {}): RunChange => ({
    event: {
      id: `${held.messageId}/${type}`,
      run_id: held.runId,
      type,
      at: timestamp(),
      message_id: held.messageId,
      agent: name,
      detail: {},
    },
    moves: { state: "closed", rank: rankOf.closed() },
    ...more,
  });

  /** Hands a held message on, with whatever payload. */
  const handOn = (
    held: HeldMessage,
    to: string,
    handed: { contract: string; payload: unknown },
  ): OutboxEntry => {
    const { contract, payload } = handed;
    const envelope = createNext({
      parent: held.envelope,
      parentDigest: held.digest,
      from: `${name}@1`,
      to: `${to}@1`,
      contract,
      payload,
      index: 0,
    });
    const sealed = seal({ envelope, queue: to, key: ring.signing(name, to), parent: held.envelope });
    const jobId = envelope.meta.message_id;
    const data = { ...sealed.message };
    const send: Job = { lane: "fresh", agent: to, jobId, data, delayMs: 0, priority: "normal" };
    const change = told(held, "handed_off", { opens: [{ message_id: jobId, agent: to }] });
    return entryOf([change], { sends: [send] });
  };

  return { raw, ring, hold, tellRelay, told, handOn };
}

export function entryOf(changes: readonly RunChange[], more: Partial<OutboxEntry> = {}): OutboxEntry {
  return { id: uuidv7(), at_ms: Date.now(), changes, sends: [], admissions: [], ...more };
}
