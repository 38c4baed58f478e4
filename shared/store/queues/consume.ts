import { WaitingError } from "bullmq";
import type { Job as EngineJob } from "bullmq";
import { sleep } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { isRecord } from "#shared/json";
import type { Store } from "../store.ts";
import { engineBackend } from "./engine-backend.ts";
import { ErrorThrottle } from "./error-throttle.ts";
import type { FinishTicket } from "../scripts/queues.ts";
import { queueName } from "./handoff-queues.ts";
import type { Job } from "./handoff-queues.ts";
import type { JobData } from "./job-data.ts";
import { TakingWorker } from "./taking-worker.ts";
import type { TakenJob } from "./taking-worker.ts";

/** One delivery of a job. Nothing in `data` is trusted. */
export interface DeliveredJob {
  readonly jobId: string;
  readonly queue: string;
  readonly lane: Job["lane"];
  /** Lock token, compared by the fence. */
  readonly token: string;
  readonly data: JobData;
  /** Processes that died or stalled while they held this job. */
  readonly stalls: number;
  /**
   * Time until which the ledger is known to have no entry for this message, and its run not to be cancelled, in ms
   * since the epoch: half a lock's life after the job was taken. 0: unknown, or there is an entry.
   */
  readonly unseenUntilMs: number;
  /** Ends the job in the script of its outcome. Null: BullMQ ends it afterwards. */
  readonly ticket: FinishTicket | null;
  /** Aborted when the lock is lost. */
  readonly signal: AbortSignal;
}

/** Next place of a job after its handler: `done`; `return` to its queue's head; `parked` where a script put it. */
export type Disposal = "done" | "return" | "parked";

export interface ConsumerOptions {
  readonly agent: string;
  readonly lane: Job["lane"];
  /** Maximum jobs handled at once. */
  readonly concurrency: number;
  /** Lock duration (lease, visibility timeout) without renewal, in ms. */
  readonly lockMs: number;
  /** Interval of the check for stalled jobs, in ms. */
  readonly stalledIntervalMs: number;
  readonly handle: (job: DeliveredJob) => Promise<Disposal>;
  /** Called for at most one error of a kind in 10 s, with the number suppressed since the last call. */
  readonly onError: (error: Error, suppressed: number) => void;
}

/** State of a consumer, for its watchdog. Times are in ms of `performance.now()`. */
export interface ConsumerState {
  readonly isFree: boolean;
  readonly fetchedMs: number;
  readonly erredMs: number;
}

/** Reason for which a running consumer takes no jobs. */
export type HoldReason = "errors" | "clock" | "restore";

/** Delay before an unsettled job goes back to its queue, in ms. */
const UNSETTLED_PAUSE_MS = 1000;

/** Disables BullMQ's stall limit: the runtime counts stalls itself, and quarantines poison messages with a reason. */
const STALLS_NEVER_FAILED_BY_ENGINE = 1_000_000;

/** Polling interval while a held consumer drains, in ms. */
const DRAIN_LOOK_MS = 20;

/** Grace period of a stopping BullMQ worker before it is abandoned, in ms. */
const LET_GO_MS = 2000;

/** Consumes the jobs of one queue, with one BullMQ worker at a time. */
export class Consumer {
  /** Name of the queue. */
  readonly queue: string;
  readonly store: Store;
  private readonly options: ConsumerOptions;
  private readonly throttle = new ErrorThrottle();
  private readonly holds = new Set<HoldReason>();
  private worker: TakingWorker;
  private isStarted = false;
  private isEnding = false;
  private fetchedMs = performance.now();
  private erredMs = -Infinity;
  private goOn: NodeJS.Timeout | undefined;

  constructor(store: Store, options: ConsumerOptions) {
    this.store = store;
    this.options = options;
    this.queue = queueName(options.agent, options.lane);
    this.worker = this.open();
  }

  private open(): TakingWorker {
    const { options, store, queue } = this;
    const worker: TakingWorker = new TakingWorker(
      queue,
      // BullMQ passes the signal only to processors that declare three parameters.
      (job: EngineJob<JobData>, token?: string, signal?: AbortSignal) =>
        this.process(worker, job as TakenJob, { token, signal }),
      {
        connection: store.redis,
        prefix: store.keys.queuePrefixOf(queue),
        concurrency: options.concurrency,
        lockDuration: options.lockMs,
        stalledInterval: options.stalledIntervalMs,
        maxStalledCount: STALLS_NEVER_FAILED_BY_ENGINE,
        autorun: false,
        runRetryDelay: 1000,
      },
      engineBackend({
        redis: store.redis,
        prefix: store.keys.queuePrefixOf(queue),
        lockMs: options.lockMs,
        // Only a fresh message can be unknown to the ledger.
        ledgerBases: options.lane === "fresh" ? store.keys.ledgerBasesOf(options.agent) : null,
        finishedCount: store.bounds.finishedJobsMax,
        finishedAgeMs: store.options.retentionMs,
      }),
    );
    worker.on("error", (error) => this.backOff(worker, error));
    worker.on("completed", () => crashPoint("W8:after_complete"));
    worker.on("active", () => this.hasFetched(worker));
    // BullMQ does not stop a handler whose lock is lost, so it is cancelled here.
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
    const hasRoom = this.worker.inHand < this.options.concurrency;
    const isFree = hasRoom && this.isStarted && !this.isEnding && this.holds.size === 0;
    return { isFree, fetchedMs: this.fetchedMs, erredMs: this.erredMs };
  }

  /** Stops taking jobs until every reason is released; jobs in progress go on and keep their locks. */
  hold(reason: HoldReason): void {
    if (this.isEnding || this.holds.has(reason)) return;
    this.holds.add(reason);
    this.worker.pause(true).catch(this.report);
  }

  release(reason: HoldReason): void {
    if (!this.holds.delete(reason) || this.holds.size > 0 || this.isEnding || !this.isStarted) return;
    this.worker.resume().catch(this.report);
  }

  /** Replaces a silent BullMQ worker by a new one. Its jobs are returned, or stall and are redelivered. */
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

  /** Stops taking jobs; resolves when those in progress are done. */
  async drain(): Promise<void> {
    const isHeld = this.holds.size > 0;
    this.isEnding = true;
    clearTimeout(this.goOn);
    await this.worker.pause();
    // A worker that was paused before does not wait for its jobs.
    if (!isHeld) return;
    while (this.worker.inHand > 0) await sleep(DRAIN_LOOK_MS);
  }

  /** Closes the worker. Jobs still in progress are left to the stall check. */
  async close(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.goOn);
    await this.worker.close(true);
  }

  private readonly report = (error: unknown): void => {
    this.options.onError(error instanceof Error ? error : new Error("an engine failed with no reason"), 0);
  };

  /** Backs off after errors: BullMQ would retry at once, thousands of times per second. */
  private backOff(worker: TakingWorker, error: Error): void {
    if (worker !== this.worker || this.isEnding) return;
    this.erredMs = performance.now();
    const { holdMs, isReported, suppressed } = this.throttle.next(error, this.erredMs);
    if (isReported) this.options.onError(error, suppressed);
    if (holdMs === 0 || this.holds.has("errors")) return;
    this.hold("errors");
    this.goOn = setTimeout(() => this.release("errors"), holdMs);
  }

  private hasFetched(worker: TakingWorker): void {
    if (worker !== this.worker) return;
    this.fetchedMs = performance.now();
    this.throttle.succeeded();
  }

  private async process(
    worker: TakingWorker,
    job: TakenJob,
    held: { token: string | undefined; signal: AbortSignal | undefined },
  ): Promise<void> {
    const { token = "", signal = new AbortController().signal } = held;
    const disposal = await this.handle({
      jobId: job.id ?? "",
      queue: this.queue,
      lane: this.options.lane,
      token,
      // Any JSON can be stored; a value that is no object is kept as evidence.
      data: isRecord(job.data) ? job.data : { stored: job.data },
      stalls: job.stalledCounter,
      unseenUntilMs: job.unseenUntilMs,
      ticket: job.ticket(token, () => worker.closing === undefined && !worker.isPaused()),
      signal,
    });
    crashPoint("W7:before_complete");
    if (disposal === "parked") throw new WaitingError();
    // An outcome that stands is never returned to the queue, whatever happened after it.
    if (disposal === "return" && !job.isEnded) {
      // Refused if another worker holds the job by now, which needs no action.
      await job.moveToWait(token).catch(this.report);
      throw new WaitingError();
    }
  }

  /** Calls the handler. If it throws, nothing was settled: the job is returned after a pause, never failed. */
  private async handle(job: DeliveredJob): Promise<Disposal> {
    // A fetch that was in progress when the hold began still returns one job.
    if (this.holds.has("clock") || this.holds.has("restore")) return "return";
    try {
      return await this.options.handle(job);
    } catch (error) {
      this.report(error);
      await sleep(UNSETTLED_PAUSE_MS, job.signal).catch(() => undefined);
      return "return";
    }
  }
}
