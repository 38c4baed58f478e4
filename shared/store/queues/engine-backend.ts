import { createIORedisClient, QueueKeys, RedisConnection, RedisQueueBackend } from "bullmq";
import type { BackendFactory, JobJson, MinimalJob, QueueBaseOptions } from "bullmq";
import { correctedNow, now } from "#shared/clock";
import type { RedisClient } from "../script.ts";
import { finishJob, takeJob } from "../scripts/queues.ts";
import type { Finished, Finishing, TakenNext, Taking } from "../scripts/queues.ts";
import type { FinishTicket } from "./finish-ticket.ts";

/** What our scripts need to know beside the engine's own options. */
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

/** A job as our scripts give it: the engine's form, and until when its message may be taken for unheard of. */
export interface TakenJson extends JobJson {
  readonly firstHeardUntilMs: number;
  /** Its lock's, where that is not the one the engine asked with. */
  readonly token?: string;
}

/** Where the time stands among the keys and arguments of the engine's `moveToActive`. */
const MOVE_TO_ACTIVE_NOW = 12;

/** Jobs taken in one script at most, so that none holds up Redis for long. */
const TAKEN_AT_ONCE_MAX = 16;

/** Every so many finishes the finished jobs are trimmed: their bound may be exceeded by as many. */
const TRIM_EVERY = 64;

/**
 * The engine's answer to "what is next": job, id, rate limit in ms, ms since the epoch at which a delayed job is
 * due.
 */
type Next = [TakenJson | null, string, number, number];

/**
 * BullMQ's Redis backend with the two scripts of the hot path replaced. They work on the engine's keys and in its
 * states, but leave out what handoffs never use (parents, deduplication, events that nobody reads), wake no worker for
 * nothing, and ask the receiver's ledger in passing. Where a queue holds more than the plain case, the engine's own
 * script runs. `engine-backend.test.ts` holds both to the same outcome.
 */
export class EngineBackend extends RedisQueueBackend {
  private readonly settings: EngineSettings;
  /** How many more jobs its worker could begin now; 0 if it is to take none. */
  room: () => number = () => 1;
  /** Taken with another job for a worker that has room: it gets them as soon as it asks, which is at once. */
  private ahead: TakenJson[] = [];
  private finished = 0;
  /** The last job taken was the last that waited: the engine's next question is answered without asking Redis. */
  private isEmpty = false;

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
    const next = this.ahead.shift();
    if (next !== undefined) return [next, next.id, 0, 0];
    if (this.isEmpty) {
      // The engine now waits for the mark that every add sets, and finds it at once if one came meanwhile.
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
    // Told to stop while Redis was asked.
    if (this.room() <= 0) await this.giveBackAhead();
    return taken ?? super.moveToActive(token, name);
  }

  private roomNow(): number {
    return Math.min(Math.max(1, this.room()), TAKEN_AT_ONCE_MAX);
  }

  /** Puts back what was taken ahead for a worker that will not ask for it now. What Redis does not hear of stalls. */
  async giveBackAhead(): Promise<void> {
    const unasked = this.ahead;
    this.ahead = [];
    await Promise.allSettled(unasked.map(({ id, token = "" }) => this.moveJobFromActiveToWait(id, token)));
  }

  override async waitForJob(blockTimeout: number): ReturnType<RedisQueueBackend["waitForJob"]> {
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
    // Null is said only of an outcome that was to be looked at.
    return { result: ended ?? [], finishedOn: now() };
  }

  /**
   * Ends a job, and takes the next.
   *
   * @param what.ledgerKey - Where its outcome stands. Null: nowhere that can be looked at.
   * @returns what the engine is told of the next job; null when the outcome is not there and the job was not ended.
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

  /** The engine's own script, too, is to judge by Redis' time which delayed jobs are due. */
  override execCommand(...call: Parameters<RedisQueueBackend["execCommand"]>): unknown {
    const [client, command, args] = call;
    const isTaking = command === "moveToActive";
    return super.execCommand(
      client,
      command,
      isTaking ? args.with(MOVE_TO_ACTIVE_NOW, correctedNow()) : args,
    );
  }

  /** A way to end this job, and take the next if `takesNext` says so then, in the script of its outcome. */
  ticketFor(
    job: { readonly jobId: string; readonly token: string },
    takesNext: () => boolean,
    on: {
      readonly used: (next: () => Promise<unknown[]>) => void;
      readonly proved: (ledgerKey: string) => void;
    },
  ): FinishTicket {
    let finishedMs = 0;
    return {
      toCall: () => {
        finishedMs = now();
        return this.toFinishing({ jobId: job.jobId, takesNext: takesNext(), finishedMs });
      },
      used: (reply) => on.used(() => this.afterFinish({ ...job, finishedMs }, reply)),
      proveBy: on.proved,
    };
  }

  /** What the engine is told of the next job. @throws what the engine throws for a job that could not be ended. */
  private async afterFinish(
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

  private toFinishing(what: {
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

  /** @returns null when the engine's own script has to look. */
  private toNext(reply: TakenNext, takenMs: number): Next | null {
    if (reply.kind === "none") return [null, "", 0, reply.dueMs];
    if (reply.kind === "engine") return null;
    const { id, data, starts, stalls, isFirst, isMore } = reply;
    // A queue of retries must be asked when its next delayed job is due.
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
      firstHeardUntilMs: isFirst ? takenMs + this.settings.lockMs / 2 : 0,
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
