import { WaitingError } from "bullmq";
import type { Job as EngineJob } from "bullmq";
import { sleep } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { isRecord } from "#shared/json";
import type { Store } from "../store.ts";
import { engineBackend } from "./engine-backend.ts";
import { ErrorPace } from "./error-pace.ts";
import type { FinishTicket } from "./finish-ticket.ts";
import { queueName } from "./handoff-queues.ts";
import type { Job } from "./handoff-queues.ts";
import type { JobData } from "./job-data.ts";
import { TakingWorker } from "./taking-worker.ts";
import type { TakenJob } from "./taking-worker.ts";

/** One delivery of one job, as the engine hands it out. Nothing in `data` is trusted. */
export interface DeliveredJob {
  readonly jobId: string;
  readonly queue: string;
  readonly lane: Job["lane"];
  /** The lock token: what the fence compares. */
  readonly token: string;
  readonly data: JobData;
  /** How often a process died or stalled while it held this job. */
  readonly stalls: number;
  /**
   * Until when it may be believed that the agent's ledger knows nothing of this message and its run is not
   * cancelled, in ms since the epoch: half a lock's life after the job was taken. 0: it was not asked, or it knows.
   */
  readonly firstHeardUntilMs: number;
  /** To end the job in the script of its outcome. Null: the engine ends it afterwards. */
  readonly ticket: FinishTicket | null;
  /** Aborted when the lock is lost. */
  readonly signal: AbortSignal;
}

/**
 * `done`: settled. `return`: back to the head of the queue, untouched, unless it is somebody else's by now. `parked`: a
 * script has put the job where it waits, and the engine is to leave it there.
 */
export type Disposal = "done" | "return" | "parked";

export interface ConsumerOptions {
  readonly agent: string;
  readonly lane: Job["lane"];
  /** Jobs handled at once. */
  readonly concurrency: number;
  /** Life of a lock that is not renewed, in ms. */
  readonly lockMs: number;
  /** How often dead workers' jobs are looked for, in ms. */
  readonly stalledIntervalMs: number;
  readonly handle: (job: DeliveredJob) => Promise<Disposal>;
  /** Hears one error of a kind in 10 s, with the number of those that were kept from it since the last. */
  readonly onError: (error: Error, untold: number) => void;
}

/** What a watch over a consumer asks. Times are in ms of `performance.now()`. */
export interface ConsumerState {
  readonly isFree: boolean;
  readonly fetchedMs: number;
  readonly erredMs: number;
}

/** Why a consumer takes no job for a while, though its process runs. */
export type HoldReason = "errors" | "clock" | "circuit";

/** The wait before a job that could not be settled goes back to its queue, in ms. */
const UNSETTLED_PAUSE_MS = 1000;

/** The engine's own stall limit is out of reach: the runtime counts stalls itself and quarantines with a reason. */
const STALLS_NEVER_FAILED_BY_ENGINE = 1_000_000;

/** How often a drained engine that was held is looked at, in ms. */
const DRAIN_LOOK_MS = 20;

/** What an engine that does not let go gets before it is left behind, in ms. */
const LET_GO_MS = 2000;

/** Takes jobs of one queue, one BullMQ worker at a time. */
export class Consumer {
  /** Where the queue's keys lie, and its name. */
  readonly place: { readonly slot: string; readonly queue: string };
  private readonly store: Store;
  private readonly options: ConsumerOptions;
  private readonly pace = new ErrorPace();
  private readonly holds = new Set<HoldReason>();
  private readonly inHand = new Map<TakingWorker, number>();
  private worker: TakingWorker;
  private isStarted = false;
  private isEnding = false;
  private fetchedMs = performance.now();
  private erredMs = -Infinity;
  private goOn: NodeJS.Timeout | undefined;

  constructor(store: Store, options: ConsumerOptions) {
    this.store = store;
    this.options = options;
    const queue = queueName(options.agent, options.lane);
    this.place = { slot: options.lane === "ward" ? "ward" : options.agent, queue };
    this.worker = this.open();
  }

  private open(): TakingWorker {
    const { options, store } = this;
    const { slot, queue } = this.place;
    const worker: TakingWorker = new TakingWorker(
      queue,
      // BullMQ passes the signal only to processors that declare three parameters.
      (job: EngineJob<JobData>, token?: string, signal?: AbortSignal) =>
        this.counted(worker, () => this.process({ worker, job: job as TakenJob, queue, token, signal })),
      {
        connection: store.redis,
        prefix: store.keys.queuePrefix(slot),
        concurrency: options.concurrency,
        lockDuration: options.lockMs,
        stalledInterval: options.stalledIntervalMs,
        maxStalledCount: STALLS_NEVER_FAILED_BY_ENGINE,
        autorun: false,
        runRetryDelay: 1000,
      },
      engineBackend({
        redis: store.redis,
        prefix: store.keys.queuePrefix(slot),
        lockMs: options.lockMs,
        // Only a fresh message can be one that the ledger never heard of.
        ledgerBases: options.lane === "fresh" ? store.keys.ledgerBasesOf(options.agent) : null,
        finishedCount: store.queues.retention.finishedCount,
        finishedAgeMs: store.queues.retention.finishedAgeSeconds * 1000,
      }),
    );
    worker.on("error", (error) => this.endure(worker, error));
    worker.on("completed", () => crashPoint("W8:after_complete"));
    worker.on("active", () => this.hasFetched(worker));
    // The engine goes on running a handler whose lock is gone; telling it is our task.
    worker.on("lockRenewalFailed", (jobIds) => {
      for (const jobId of jobIds) worker.cancelJob(jobId, "lock lost");
    });
    return worker;
  }

  start(): void {
    this.isStarted = true;
    if (this.holds.size > 0) return;
    this.worker.run().catch(this.report);
  }

  get state(): ConsumerState {
    const hasRoom = (this.inHand.get(this.worker) ?? 0) < this.options.concurrency;
    const isFree = hasRoom && this.isStarted && !this.isEnding && this.holds.size === 0;
    return { isFree, fetchedMs: this.fetchedMs, erredMs: this.erredMs };
  }

  /** Takes no further job until every reason is gone; those at work go on, and keep their locks. */
  hold(reason: HoldReason): void {
    if (this.isEnding || this.holds.has(reason)) return;
    this.holds.add(reason);
    this.worker.pause(true).catch(this.report);
  }

  release(reason: HoldReason): void {
    if (!this.holds.delete(reason) || this.holds.size > 0 || this.isEnding || !this.isStarted) return;
    this.worker.resume().catch(this.report);
  }

  /** Leaves an engine that fetches nothing behind and goes on with a new one. Its jobs are given back, or stall. */
  async restart(): Promise<void> {
    const silent = this.worker;
    silent.cancelAllJobs("the consumer is started anew");
    this.worker = this.open();
    if (this.isStarted) this.start();
    const letGo = new AbortController();
    const giveUp = sleep(LET_GO_MS, letGo.signal).catch(() => undefined);
    await Promise.race([silent.close(true), giveUp]).catch(this.report);
    letGo.abort();
  }

  /** Takes no further job; resolves once those at work are through. */
  async drain(): Promise<void> {
    const isHeld = this.holds.size > 0;
    this.isEnding = true;
    clearTimeout(this.goOn);
    await this.worker.pause();
    // An engine that was held already does not wait for its jobs.
    if (!isHeld) return;
    while ((this.inHand.get(this.worker) ?? 0) > 0) await sleep(DRAIN_LOOK_MS);
  }

  /** Ends the worker. Jobs still at work are left to the stall check. */
  async close(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.goOn);
    await this.worker.close(true);
  }

  private readonly report = (error: unknown): void => {
    this.options.onError(error instanceof Error ? error : new Error("an engine failed with no reason"), 0);
  };

  /** An engine that Redis refuses asks again at once, thousands of times in a second: it is made to wait. */
  private endure(worker: TakingWorker, error: Error): void {
    if (worker !== this.worker || this.isEnding) return;
    this.erredMs = performance.now();
    const { holdMs, isTold, untold } = this.pace.next(error, this.erredMs);
    if (isTold) this.options.onError(error, untold);
    if (holdMs === 0 || this.holds.has("errors")) return;
    this.hold("errors");
    this.goOn = setTimeout(() => this.release("errors"), holdMs);
  }

  private hasFetched(worker: TakingWorker): void {
    if (worker !== this.worker) return;
    this.fetchedMs = performance.now();
    this.pace.succeeded();
  }

  private async counted(worker: TakingWorker, work: () => Promise<void>): Promise<void> {
    this.inHand.set(worker, (this.inHand.get(worker) ?? 0) + 1);
    try {
      await work();
    } finally {
      const left = (this.inHand.get(worker) ?? 1) - 1;
      if (left > 0) this.inHand.set(worker, left);
      else this.inHand.delete(worker);
    }
  }

  private async process(delivery: {
    worker: TakingWorker;
    job: TakenJob;
    queue: string;
    token: string | undefined;
    signal: AbortSignal | undefined;
  }): Promise<void> {
    const { worker, job, queue, token = "", signal = new AbortController().signal } = delivery;
    const disposal = await this.handle({
      jobId: job.id ?? "",
      queue,
      lane: this.options.lane,
      token,
      // Whatever JSON is stored; what is no object is no sealed message either, and evidence all the same.
      data: isRecord(job.data) ? job.data : { stored: job.data },
      stalls: job.stalledCounter,
      firstHeardUntilMs: job.firstHeardUntilMs,
      ticket: job.ticket(token, () => worker.closing === undefined && !worker.isPaused()),
      signal,
    });
    crashPoint("W7:before_complete");
    if (disposal === "parked") throw new WaitingError();
    // Whatever happened after it: an outcome that stands is not given back.
    if (disposal === "return" && !job.isEnded) {
      // Refused when another worker holds the job by now: then it is that one's, and nothing is to be done.
      await job.moveToWait(token).catch(this.report);
      throw new WaitingError();
    }
  }

  /**
   * A throw means that nothing was settled, most often because Redis refuses writes. The job goes back, after a pause
   * so that a lasting fault is no hot loop; it never goes to the engine's failed set, which nobody drains for it.
   */
  private async handle(job: DeliveredJob): Promise<Disposal> {
    // A fetch that was under way when it was held still brings one job.
    if (this.holds.has("clock")) return "return";
    try {
      return await this.options.handle(job);
    } catch (error) {
      this.report(error);
      await sleep(UNSETTLED_PAUSE_MS, job.signal).catch(() => undefined);
      return "return";
    }
  }
}
