// As a namespace, because a project that has only a ward may have a release without some of these.
import * as bullmq from "bullmq";
import type { BackendFactory, JobJson, MinimalJob, QueueBaseOptions } from "bullmq";
import { now } from "#shared/clock";
import type { RedisClient } from "../script.ts";
import { finishJob, takeJob } from "../scripts/queues.ts";
import type { Finished, Finishing, TakenNext, Taking } from "../scripts/queues.ts";

/** Settings of our scripts beside BullMQ's own options. */
export interface EngineSettings {
  readonly redis: RedisClient;
  /** Of the queue's keys. */
  readonly prefix: string;
  readonly lockMs: number;
  /** Bases of the agent's ledger and cancelled marks; null for a queue whose messages are always asked for. */
  readonly ledgerBases: { readonly ledger: string; readonly cancelled: string } | null;
  readonly finishedCount: number;
  readonly finishedAgeMs: number;
}

/** A job as our scripts return it: BullMQ's form, and the time until which the ledger has no entry for its message. */
export interface TakenJson extends JobJson {
  readonly unseenUntilMs: number;
  /** Lock token, if not the one that BullMQ passed. */
  readonly token?: string;
}

/** Maximum jobs taken in one script, because a script blocks Redis. */
const TAKEN_AT_ONCE_MAX = 16;

/** Finished jobs are trimmed after this many finishes, so their limit may be exceeded by as many. */
const TRIM_EVERY = 64;

/** BullMQ's reply for the next job: job, id, rate limit in ms, and the due time of a delayed job, in epoch ms. */
type Next = [TakenJson | null, string, number, number];

// `assertEngine` refuses such a release where queues of agents are opened.
const Backend = "RedisQueueBackend" in bullmq ? bullmq.RedisQueueBackend : (Object as never);

/**
 * BullMQ's Redis backend with the two scripts of the hot path replaced: they leave out what handoffs never use, wake no
 * worker needlessly, and read the receiver's ledger in the same call. Beyond the plain case BullMQ's own run.
 * `engine-backend.test.ts` holds both to the same outcome.
 */
export class EngineBackend extends Backend {
  private readonly settings: EngineSettings;
  /** Number of further jobs that the worker can start now; 0 if it takes none. */
  room: () => number = () => 1;
  /** Prefetched jobs of a worker with free capacity, which asks for them at once. */
  private ahead: TakenJson[] = [];
  private finished = 0;
  /** True if the last job taken was the last one waiting: BullMQ's next fetch is answered without calling Redis. */
  private isEmpty = false;

  constructor(
    parts: {
      readonly connection: bullmq.RedisConnection;
      readonly blocking: bullmq.RedisConnection | undefined;
    },
    queue: { readonly name: string; readonly options: QueueBaseOptions },
    settings: EngineSettings,
  ) {
    const keys = new bullmq.QueueKeys(settings.prefix);
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
    const next = this.ahead.shift();
    if (next !== undefined) return [next, next.id, 0, 0];
    if (this.isEmpty) {
      // BullMQ now waits for the marker that every add sets, and finds it at once if one was added meanwhile.
      this.isEmpty = false;
      return [null, "", 0, 0];
    }
    const takenMs = now();
    const [first, ...others] = await takeJob.run(this.settings.redis, {
      touches: [this.keys.meta ?? "", this.keys.wait ?? "", this.keys.active ?? ""],
      token,
      ...this.toTaking(takenMs),
      takenMax: this.roomNow(),
    });
    const taken = this.toNext(first ?? { kind: "engine" }, takenMs);
    for (const [index, other] of others.entries()) {
      const [json] = this.toNext(other, takenMs) ?? [];
      if (json) this.ahead.push({ ...json, token: `${token}/${index + 2}` });
    }
    // The worker was stopped during the call.
    if (this.room() <= 0) await this.returnPrefetched();
    return taken ?? super.moveToActive(token, name);
  }

  private roomNow(): number {
    return Math.min(Math.max(1, this.room()), TAKEN_AT_ONCE_MAX);
  }

  /** Returns prefetched jobs that the worker will not take. Those that fail to return stall and are redelivered. */
  async returnPrefetched(): Promise<void> {
    const unasked = this.ahead;
    this.ahead = [];
    await Promise.allSettled(unasked.map(({ id, token = "" }) => this.moveJobFromActiveToWait(id, token)));
  }

  override async waitForJob(blockTimeout: number): ReturnType<bullmq.RedisQueueBackend["waitForJob"]> {
    const woken = await super.waitForJob(blockTimeout);
    this.isEmpty = false;
    return woken;
  }

  override async moveToCompleted<Data, Result, Name extends string>(
    job: MinimalJob<Data, Result, Name>,
    _value: unknown,
    _keep: unknown,
    token: string,
    fetchNext: boolean,
  ): Promise<{ result: unknown[]; finishedOn: number }> {
    const ended = await this.finish({ jobId: job.id ?? "", token, fetchNext, ledgerKey: null });
    // Null is returned only if an outcome was to be checked.
    return { result: ended ?? [], finishedOn: now() };
  }

  /**
   * Finishes a job and takes the next one. @param what.ledgerKey - Key of its outcome. Null: none to check.
   * @returns BullMQ's reply for the next job; null if the outcome is missing and the job was not finished.
   */
  async finish(what: {
    readonly jobId: string;
    readonly token: string;
    readonly fetchNext: boolean;
    readonly ledgerKey: string | null;
  }): Promise<unknown[] | null> {
    const { jobId, token, ledgerKey } = what;
    const finishedMs = now();
    const takesNext = what.fetchNext && this.closing === undefined;
    const meta = this.keys.meta ?? "";
    const reply = await finishJob.run(this.settings.redis, {
      provedBy: ledgerKey ?? meta,
      touches: [meta, this.keys.active ?? "", this.toKey(jobId)],
      token,
      isProved: ledgerKey !== null,
      ...this.toFinishing({ jobId, takesNext, finishedMs }),
    });
    return reply.kind === "undone" ? null : this.afterFinish({ jobId, token, finishedMs }, reply);
  }

  /** Returns BullMQ's reply for the next job. @throws BullMQ's error for a job that could not be finished. */
  async afterFinish(
    {
      jobId,
      token,
      finishedMs,
    }: { readonly jobId: string; readonly token: string; readonly finishedMs: number },
    reply: Finished,
  ): Promise<unknown[]> {
    if (reply.kind === "failed") {
      throw this.finishedErrors({ code: reply.code, jobId, command: "moveToFinished", state: "active" });
    }
    return this.toNext(reply, finishedMs) ?? super.moveToActive(token);
  }

  toFinishing(what: {
    readonly jobId: string;
    readonly takesNext: boolean;
    readonly finishedMs: number;
  }): Finishing {
    const { finishedCount, finishedAgeMs } = this.settings;
    this.finished = (this.finished + 1) % TRIM_EVERY;
    return {
      ...this.toTaking(what.finishedMs),
      finishedJobId: what.jobId,
      keptMax: finishedCount,
      keptMs: this.finished === 0 ? finishedAgeMs : null,
      takesNext: what.takesNext,
    };
  }

  private toTaking(takenMs: number): Taking {
    const { lockMs, ledgerBases } = this.settings;
    return {
      queueBase: this.toKey(""),
      takenMs,
      lockMs,
      ledgerBase: ledgerBases?.ledger ?? null,
      cancelledBase: ledgerBases?.cancelled ?? "",
    };
  }

  /** @returns Null if BullMQ's own script must run. */
  private toNext(reply: TakenNext, takenMs: number): Next | null {
    if (reply.kind === "none") return [null, "", 0, reply.dueMs];
    if (reply.kind === "engine") return null;
    const { id, data, starts, stalls, isFirst, isMore } = reply;
    // A retry queue must be polled when its next delayed job is due.
    this.isEmpty = !isMore && this.settings.ledgerBases !== null;
    const json: TakenJson = {
      id,
      name: "handoff",
      data,
      opts: {},
      progress: 0,
      attemptsMade: 0,
      attemptsStarted: starts,
      stalledCounter: stalls,
      processedOn: takenMs,
      timestamp: 0,
      failedReason: "",
      returnvalue: "null",
      unseenUntilMs: isFirst ? takenMs + this.settings.lockMs / 2 : 0,
    };
    return [json, json.id, 0, 0];
  }
}

/** Opens the backend of one worker on the store's connection, with a dedicated one for blocking commands. */
export function engineBackend(settings: EngineSettings): BackendFactory<EngineBackend> {
  return (name, options) => {
    const client = bullmq.createIORedisClient(settings.redis);
    return new EngineBackend(
      {
        connection: new bullmq.RedisConnection(client, { shared: true, blocking: false }),
        blocking: new bullmq.RedisConnection(client.duplicate({ connectionName: name }), {
          shared: false,
          blocking: true,
        }),
      },
      { name, options },
      settings,
    );
  };
}
