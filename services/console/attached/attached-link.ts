import { readFile } from "node:fs/promises";
import { BullmqWard, WardOptionsInvalidError } from "#shared/bullmq-ward";
import type { DataContractOptions } from "#shared/bullmq-ward";
import { sleep } from "#shared/clock";
import type { Config } from "#shared/config";
import { SutureError } from "#shared/errors";
import { isRecord, readJson } from "#shared/json";
import { openAttached } from "#shared/store/attached";
import type { OpenedQueue } from "#shared/store/attached";
import type { Logger } from "#shared/telemetry";
import { AttachedAwayError, AttachedUnusableError } from "../errors.ts";

/** Where an attached queue is, and what the data of its jobs should look like. */
export interface AttachedTarget {
  readonly url: string;
  readonly prefix: string;
  readonly name: string;
  /** Null: there is none. */
  readonly contract: DataContractOptions | null;
  readonly logger: Logger;
  /** Time that Redis has for one answer, in ms. Default 5,000. */
  readonly answerMs?: number;
}

/** Names a group, a case or work of an attached queue among those of every source. BullMQ's queues have no colon. */
export function attachedId(queue: string, id: string): string {
  return `bullmq:${queue}:${id}`;
}

interface Connected {
  readonly ward: BullmqWard;
  readonly opened: OpenedQueue;
  /** Rejects when the connection was given up. Nothing that was sent over it waits for longer. */
  readonly lost: PromiseWithResolvers<never>;
}

const ANSWER_MS = 5000;

/** The ward of an attached queue, over a connection that is opened when it is used and given up when it is silent. */
export class AttachedLink {
  readonly name: string;
  private readonly answerMs: number;
  private readonly target: AttachedTarget;
  private opening: Promise<Connected> | null = null;
  private current: Connected | null = null;
  private isClosed = false;

  constructor(target: AttachedTarget) {
    this.name = target.name;
    this.answerMs = target.answerMs ?? ANSWER_MS;
    this.target = target;
  }

  /** Does something with the ward. @throws {AttachedAwayError} Redis is away, or silent; nothing more is sent then. */
  async use<Result>(work: (ward: BullmqWard) => Promise<Result>): Promise<Result> {
    const connected = await this.connect();
    const { ward, opened, lost } = connected;
    const timer = setTimeout(() => this.giveUp(connected), this.answerMs);
    try {
      if (opened.redis.status !== "ready") throw new AttachedAwayError(this.name);
      return await Promise.race([work(ward), lost.promise]);
    } catch (error) {
      const isAway = !(error instanceof SutureError) && opened.redis.status !== "ready";
      throw isAway ? new AttachedAwayError(this.name) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.isClosed = true;
    if (this.current !== null) this.giveUp(this.current);
  }

  /** Waits for a connection, but not longer than for an answer: it may come up for a later request. */
  private async connect(): Promise<Connected> {
    if (this.isClosed) throw new AttachedAwayError(this.name);
    if (this.current !== null) return this.current;
    this.opening ??= this.open().finally(() => (this.opening = null));
    const connected = await Promise.race([this.opening, sleep(this.answerMs)]).catch((error: unknown) => {
      if (error instanceof WardOptionsInvalidError) throw error;
      this.target.logger.debug({ err: error, queue: this.name }, "attached queue");
    });
    if (connected === undefined) throw new AttachedAwayError(this.name);
    return connected;
  }

  private async open(): Promise<Connected> {
    const { url, prefix, name, contract, logger } = this.target;
    const onError = (error: Error): void => logger.debug({ err: error, queue: name }, "attached queue");
    const opened = await openAttached({ url, name, prefix, onError });
    const lost = Promise.withResolvers<never>();
    // Given up while nobody waits for anything.
    lost.promise.catch(() => undefined);
    try {
      const options = { redis: opened.redis, ...(contract === null ? {} : { contract }) };
      const connected = { ward: new BullmqWard(opened.queue, options), opened, lost };
      this.current = connected;
      if (this.isClosed) this.giveUp(connected);
      return connected;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  private giveUp(connected: Connected): void {
    if (this.current === connected) this.current = null;
    connected.lost.reject(new AttachedAwayError(this.name));
    // First: a queue that closes waits for a connection that may not come back.
    connected.opened.redis.disconnect();
    void connected.opened.close().catch(() => undefined);
  }
}

/** Reads the configured attached queues. @throws {AttachedUnusableError} No Redis, or an unusable contract. */
export async function readTargets(
  config: Pick<Config, "attachedQueues" | "attachedRedisUrl" | "attachedPrefix">,
  logger: Logger,
): Promise<readonly AttachedTarget[]> {
  const { attachedQueues, attachedRedisUrl, attachedPrefix: prefix } = config;
  if (attachedQueues.length === 0) return [];
  if (attachedRedisUrl === null)
    throw new AttachedUnusableError(
      "SUTURE_ATTACHED_QUEUES names some, and SUTURE_ATTACHED_REDIS_URL is not set",
      "Set SUTURE_ATTACHED_REDIS_URL to the Redis of these queues, such as redis://127.0.0.1:6379.",
    );
  const url = attachedRedisUrl.reveal();
  return Promise.all(
    attachedQueues.map(async ({ name, contract: file, at }) => {
      const contract = file === null ? null : await readContract(file, at);
      return { url, prefix, name, contract, logger };
    }),
  );
}

async function readContract(file: string, at: string): Promise<DataContractOptions> {
  const remedy = "Correct SUTURE_ATTACHED_QUEUES, or the file: a JSON Schema object, draft 2020-12.";
  const refuse = (problem: string): never => {
    throw new AttachedUnusableError(`the contract ${file} ${problem}`, remedy);
  };
  const text = await readFile(file, "utf8").catch(() => refuse("cannot be read"));
  const schema = readJson(text);
  return isRecord(schema) ? { schema, at } : refuse("holds no JSON Schema object");
}
