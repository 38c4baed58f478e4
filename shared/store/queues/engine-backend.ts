import { createIORedisClient, QueueKeys, RedisConnection, RedisQueueBackend } from "bullmq";
import type { BackendFactory, JobJson, MinimalJob, QueueBaseOptions } from "bullmq";
import { now } from "#shared/clock";
import { Script } from "../script.ts";
import type { RedisClient, ScriptReply } from "../script.ts";

const takeJob = new Script("take-job.lua", ["take-next.lua"]);
const finishJob = new Script("finish-job.lua", ["take-next.lua"]);

/** What our scripts need to know beside the engine's own options. */
export interface EngineSettings {
  readonly redis: RedisClient;
  /** Of the queue's keys. */
  readonly prefix: string;
  readonly lockMs: number;
  /** Bases of the agent's ledger and cancelled marks; null for a queue whose messages are always asked for. */
  readonly book: { readonly ledger: string; readonly cancelled: string } | null;
  readonly finishedCount: number;
  readonly finishedAgeMs: number;
}

/** A job as our scripts give it: the engine's form, and whether its receiver's book knows the message. */
export interface TakenJson extends JobJson {
  readonly isFirstHeard: boolean;
}

/** Every so many finishes the finished jobs are trimmed: their bound may be exceeded by as many. */
const TRIM_EVERY = 64;

/** The engine's answer to "what is next": job, id, rate limit in ms, ms since the epoch at which a delayed job is due. */
type Next = [TakenJson | null, string, number, number];

/**
 * BullMQ's Redis backend with the two scripts of the hot path replaced. They work on the engine's keys and in its
 * states, but leave out what handoffs never use (parents, deduplication, events that nobody reads), wake no worker for
 * nothing, and ask the receiver's book in passing. Where a queue holds more than the plain case, the engine's own script
 * runs. `engine-backend.test.ts` holds both to the same outcome.
 */
export class EngineBackend extends RedisQueueBackend {
  private readonly settings: EngineSettings;
  private finished = 0;

  constructor(
    parts: { readonly connection: RedisConnection; readonly blocking: RedisConnection | undefined },
    queue: { readonly name: string; readonly options: QueueBaseOptions },
    settings: EngineSettings,
  ) {
    const keys = new QueueKeys(settings.prefix);
    super(
      parts.connection,
      queue.name,
      keys.getKeys(queue.name),
      (type) => keys.toKey(queue.name, type),
      queue.options,
      parts.blocking,
    );
    this.settings = settings;
  }

  override async moveToActive(token: string, name?: string): Promise<unknown[]> {
    const reply = await takeJob.run(this.settings.redis, {
      keys: [this.toKey("")],
      args: this.takeArguments(token),
    });
    return this.toNext(reply) ?? super.moveToActive(token, name);
  }

  override async moveToCompleted<Data, Result, Name extends string>(
    job: MinimalJob<Data, Result, Name>,
    _value: unknown,
    _keep: unknown,
    token: string,
    fetchNext: boolean,
  ): Promise<{ result: unknown[]; finishedOn: number }> {
    const jobId = job.id ?? "";
    this.finished = (this.finished + 1) % TRIM_EVERY;
    const takesNext = fetchNext && this.closing === undefined;
    const args = this.takeArguments(token);
    const reply = await finishJob.run(this.settings.redis, {
      keys: [this.toKey("")],
      args: [
        ...args,
        jobId,
        takesNext ? "1" : "0",
        String(this.settings.finishedCount),
        this.finished === 0 ? String(this.settings.finishedAgeMs) : "",
      ],
    });
    if (typeof reply === "number") {
      throw this.finishedErrors({ code: reply, jobId, command: "moveToFinished", state: "active" });
    }
    const result = this.toNext(reply) ?? (await super.moveToActive(token));
    return { result: takesNext ? result : [], finishedOn: Number(args[1]) };
  }

  private takeArguments(token: string): string[] {
    const { lockMs, book } = this.settings;
    return [token, String(now()), String(lockMs), book?.ledger ?? "", book?.cancelled ?? ""];
  }

  /** @returns null when the engine's own script has to look. */
  private toNext(reply: ScriptReply): Next | null {
    const [kind, ...rest] = Array.isArray(reply) ? reply : [];
    if (kind === "none") return [null, "", 0, Number(rest[0])];
    if (kind !== "job") return null;
    const [id, data, starts, stalls, first] = rest;
    const json: TakenJson = {
      id: String(id),
      name: "handoff",
      data: String(data),
      opts: {},
      progress: 0,
      attemptsMade: 0,
      attemptsStarted: Number(starts),
      stalledCounter: Number(stalls),
      processedOn: now(),
      timestamp: 0,
      failedReason: "",
      returnvalue: "",
      isFirstHeard: first === "1",
    };
    return [json, json.id, 0, 0];
  }
}

/** Opens the backend of one worker on the store's connection, with one of its own for what blocks. */
export function engineBackend(settings: EngineSettings): BackendFactory<EngineBackend> {
  return (name, options) => {
    const client = createIORedisClient(settings.redis);
    return new EngineBackend(
      {
        connection: new RedisConnection(client, { shared: true, blocking: false }),
        blocking: new RedisConnection(client.duplicate({ connectionName: name }), {
          shared: false,
          blocking: true,
        }),
      },
      { name, options },
      settings,
    );
  };
}
