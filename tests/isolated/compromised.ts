import { expect } from "vitest";
import { uuidv7 } from "#shared/clock";
import { open } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import type { Job } from "#shared/store/queues";
import type { RunChange } from "#shared/store/runs";
import type { OutboxEntry } from "#shared/store/settlement";
import { childBy, entryOf, eventBy, opens } from "./forge-entry.ts";
import type { Child, HeldMessage } from "./forge-entry.ts";
import type { IsolatedDeployment } from "./deployment.ts";

export const WAIT_MS = 60_000;

/** Somebody else holds the keys and the user of Redis of one agent, and writes into its slot past all of our code. */
export function compromise(deployment: IsolatedDeployment, own: string) {
  const { system } = deployment;
  const { keys, redis, runs } = system.store;
  const raw = deployment.as(`agent-${own}`);
  const ring: Keyring = deployment.ringOf(own);
  const openMessage = async (runId: string, messageId: string): Promise<HeldMessage> => {
    const job = keys.job(own, own, messageId);
    await expect.poll(() => raw.exists(job), { timeout: WAIT_MS }).toBe(1);
    const data = JSON.parse((await raw.hget(job, "data")) ?? "") as Record<string, unknown>;
    const { envelope, bytes, digest } = open({ message: data, queue: own, jobId: messageId, keyring: ring });
    return { runId, messageId, data, envelope, bytes, digest };
  };
  /** Messages of a run that lie in the agent's queue. */
  const holdAll = async (runId: string, count: number): Promise<readonly HeldMessage[]> => {
    const ids = async (): Promise<string[]> =>
      (await runs.messages(runId)).filter(({ agent }) => agent === own).map(({ message_id }) => message_id);
    await expect.poll(async () => (await ids()).length, { timeout: WAIT_MS }).toBe(count);
    return Promise.all((await ids()).map((messageId) => openMessage(runId, messageId)));
  };
  /** The first message of a run that lies in the agent's queue. */
  const hold = async (runId: string): Promise<HeldMessage> => {
    const find = async (): Promise<string> =>
      (await runs.messages(runId)).find(({ agent }) => agent === own)?.message_id ?? "";
    await expect.poll(find, { timeout: WAIT_MS }).not.toBe("");
    return openMessage(runId, await find());
  };
  /** Writes an entry, or bytes that are none, into the agent's outbox and calls the relay. */
  const writeEntry = async (entry: unknown, id = uuidv7()): Promise<string> => {
    await raw.hset(keys.outbox(own), id, typeof entry === "string" ? entry : JSON.stringify(entry));
    await raw.rpush(keys.outboxCalls(own), id);
    return id;
  };
  /** Waits until the relay has taken an entry out of the outbox. */
  const untilTaken = async (id: string): Promise<void> => {
    const isThere = (): Promise<number> => redis.hexists(keys.outbox(own), id);
    await expect.poll(isThere, { timeout: WAIT_MS, interval: 20 }).toBe(0);
  };
  const ask = async (entry: unknown, id?: string): Promise<void> => untilTaken(await writeEntry(entry, id));
  const childOf = (held: HeldMessage, child: Child): Job => childBy(own, ring, held, child);
  const eventOf = (
    held: Pick<HeldMessage, "runId" | "messageId">,
    type: RunChange["event"]["type"],
    more: object = {},
  ): RunChange => eventBy(own, held, type, more);
  const handOn = (held: HeldMessage, child: Child): OutboxEntry => {
    const send = childOf(held, child);
    return entryOf([eventOf(held, "handed_off", opens(send))], { sends: [send] });
  };
  return { raw, ring, hold, holdAll, writeEntry, untilTaken, ask, childOf, eventOf, handOn };
}

export type Compromised = ReturnType<typeof compromise>;
