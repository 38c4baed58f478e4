import { readFile } from "node:fs/promises";
import { BullmqWard, WardOptionsInvalidError } from "#shared/bullmq-ward";
import type { DataContractOptions } from "#shared/bullmq-ward";
import { ConfigError } from "#shared/config";
import type { Config } from "#shared/config";
import { SutureError } from "#shared/errors";
import { isRecord, readJson } from "#shared/json";
import { openAttached } from "#shared/store/attached";
import type { OpenedQueue } from "#shared/store/attached";
import type { Logger } from "#shared/telemetry";
import { AttachedAwayError } from "../errors.ts";

/** Address of an attached queue, and the contract of its jobs' data. */
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

type Connected = OpenedQueue & { readonly ward: BullmqWard };

const ANSWER_MS = 5000;

/** The ward of an attached queue, over a connection that is opened when it is used and given up when it is silent. */
export class AttachedLink {
  readonly name: string;
  private readonly target: AttachedTarget;
  private connected: Promise<Connected> | null = null;
  private isClosed = false;

  constructor(target: AttachedTarget) {
    this.name = target.name;
    this.target = target;
  }

  /** Does something with the ward. @throws {AttachedAwayError} Redis is away, or silent; nothing more is sent then. */
  async use<Result>(work: (ward: BullmqWard) => Promise<Result>): Promise<Result> {
    const away = () => new AttachedAwayError(this.name);
    if (this.isClosed) throw away();
    const connected = await (this.connected ??= this.connect());
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.giveUp(connected);
      silence.reject(away());
    }, this.target.answerMs ?? ANSWER_MS);
    try {
      if (connected.redis.status !== "ready") throw away();
      return await Promise.race([work(connected.ward), silence.promise]);
    } catch (error) {
      throw error instanceof SutureError || connected.redis.status === "ready" ? error : away();
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.isClosed = true;
    this.connected?.then((one) => this.giveUp(one)).catch(() => undefined);
  }

  private async connect(): Promise<Connected> {
    const { url, prefix, name, contract, logger, answerMs = ANSWER_MS } = this.target;
    const onError = (error: unknown): void => logger.debug({ err: error, queue: name }, "attached queue");
    let opened: OpenedQueue | null = null;
    try {
      opened = await openAttached({ url, name, prefix, onError, answerMs });
      const options = { redis: opened.redis, ...(contract === null ? {} : { contract }) };
      return { ...opened, ward: new BullmqWard(opened.queue, options) };
    } catch (error) {
      onError(error);
      this.connected = null;
      await opened?.close();
      throw error instanceof WardOptionsInvalidError ? error : new AttachedAwayError(name);
    }
  }

  private giveUp(connected: Connected): void {
    this.connected = null;
    // First: a queue that closes waits for a connection that may not come back.
    connected.redis.disconnect();
    void connected.close().catch(() => undefined);
  }
}

/** Reads the configured attached queues. @throws {ConfigError} No Redis, or an unusable contract. */
export async function readTargets(
  config: Pick<Config, "attachedQueues" | "attachedRedisUrl" | "attachedPrefix">,
  logger: Logger,
): Promise<readonly AttachedTarget[]> {
  const { attachedQueues, attachedRedisUrl, attachedPrefix: prefix } = config;
  if (attachedQueues.length === 0) return [];
  if (attachedRedisUrl === null) {
    const problem = "must be set to the Redis of the queues that SUTURE_ATTACHED_QUEUES names";
    const example = "redis://127.0.0.1:6379";
    throw new ConfigError([{ variable: "SUTURE_ATTACHED_REDIS_URL", problem, example }]);
  }
  const url = attachedRedisUrl.reveal();
  return Promise.all(
    attachedQueues.map(async ({ name, contract: file, at }) => {
      const contract = file === null ? null : await readContract(file, at);
      return { url, prefix, name, contract, logger };
    }),
  );
}

async function readContract(file: string, at: string): Promise<DataContractOptions> {
  const schema = readJson(await readFile(file, "utf8").catch(() => ""));
  if (isRecord(schema)) return { schema, at };
  const problem = `names the contract ${file}, which cannot be read as a JSON Schema object, draft 2020-12`;
  throw new ConfigError([
    { variable: "SUTURE_ATTACHED_QUEUES", problem, example: "orders=contracts/order.json" },
  ]);
}
