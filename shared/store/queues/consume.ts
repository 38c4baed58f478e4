import { Job, WaitingError, Worker } from "bullmq";
import type { JobJson } from "bullmq";
import { sleep } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type { Store } from "../store.ts";
import { engineBackend } from "./engine-backend.ts";
import type { EngineBackend } from "./engine-backend.ts";
import { queueName } from "./handoff-queues.ts";
import type { SendRequest } from "./handoff-queues.ts";
import type { JobData } from "./job-data.ts";

/** One delivery of one job, as the engine hands it out. Nothing in `data` is trusted. */
export interface DeliveredJob {
  readonly jobId: string;
  readonly queue: string;
  readonly lane: SendRequest["lane"];
  /** The lock token: what the fence compares. */
  readonly token: string;
  readonly data: JobData;
  /** How often a process died or stalled while it held this job. */
  readonly stalls: number;
  /**
   * Until when it may be believed that the agent's ledger knows nothing of this message and its run is not cancelled, in
   * ms since the epoch: half a lock's life after the job was taken. 0: it was not asked, or it knows.
   */
  readonly firstHeardUntilMs: number;
  /** Aborted when the lock is lost. */
  readonly signal: AbortSignal;
}

/** `done`: settled. `return`: back to the head of the queue, untouched, unless it is somebody else's by now. */
export type Disposal = "done" | "return";

export interface ConsumerOptions {
  readonly agent: string;
  readonly lane: SendRequest["lane"];
  /** Jobs handled at once. */
  readonly concurrency: number;
  /** Life of a lock that is not renewed, in ms. */
  readonly lockMs: number;
  /** How often dead workers' jobs are looked for, in ms. */
  readonly stalledIntervalMs: number;
  readonly handle: (job: DeliveredJob) => Promise<Disposal>;
  readonly onError: (error: Error) => void;
}

/** The wait before a job that could not be settled goes back to its queue, in ms. */
const UNSETTLED_PAUSE_MS = 1000;

/** The engine's own stall limit is out of reach: the runtime counts stalls itself and quarantines with a reason. */
const STALLS_NEVER_FAILED_BY_ENGINE = 1_000_000;

/** The engine's job with what our own script says beside it. */
class TakenJob extends Job<JobData> {
  firstHeardUntilMs = 0;

  /** As the engine's own, without its telemetry, which ours replaces. */
  override async moveToCompleted(_value: unknown, token: string, fetchNext = true): Promise<unknown[]> {
    const backend = this.backend as EngineBackend;
    const { result } = await backend.moveToCompleted(this, undefined, true, token, fetchNext);
    return result;
  }
}

class TakingWorker extends Worker<JobData, void, string, EngineBackend> {
  protected override createJob(json: JobJson, jobId: string): TakenJob {
    const job = TakenJob.fromJSON(this, json, jobId) as TakenJob;
    if ("firstHeardUntilMs" in json) job.firstHeardUntilMs = Number(json.firstHeardUntilMs);
    return job;
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Takes jobs of one queue, one BullMQ worker. */
export class Consumer {
  private readonly worker: TakingWorker;
  private readonly options: ConsumerOptions;

  constructor(store: Store, options: ConsumerOptions) {
    this.options = options;
    const slot = options.lane === "ward" ? "ward" : options.agent;
    const queue = queueName(options.agent, options.lane);
    this.worker = new TakingWorker(
      queue,
      // BullMQ passes the signal only to processors that declare three parameters.
      (job: Job<JobData>, token?: string, signal?: AbortSignal) =>
        this.process({ job: job as TakenJob, queue, token, signal }),
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
        book: options.lane === "fresh" ? store.keys.bookOf(options.agent) : null,
        finishedCount: store.queues.retention.finishedCount,
        finishedAgeMs: store.queues.retention.finishedAgeSeconds * 1000,
      }),
    );
    this.worker.on("error", options.onError);
    this.worker.on("completed", () => crashPoint("W8:after_complete"));
    // The engine goes on running a handler whose lock is gone; telling it is our task.
    this.worker.on("lockRenewalFailed", (jobIds) => {
      for (const jobId of jobIds) this.worker.cancelJob(jobId, "lock lost");
    });
  }

  start(): void {
    this.worker.run().catch(this.options.onError);
  }

  /** Takes no further job; resolves once those at work are through. */
  async drain(): Promise<void> {
    await this.worker.pause();
  }

  /** Ends the worker. Jobs still at work are left to the stall check. */
  async close(): Promise<void> {
    await this.worker.close(true);
  }

  private async process(delivery: {
    job: TakenJob;
    queue: string;
    token: string | undefined;
    signal: AbortSignal | undefined;
  }): Promise<void> {
    const { job, queue, token = "", signal = new AbortController().signal } = delivery;
    const disposal = await this.handle({
      jobId: job.id ?? "",
      queue,
      lane: this.options.lane,
      token,
      // Whatever JSON is stored; what is no object is no sealed message either, and evidence all the same.
      data: isRecord(job.data) ? job.data : { stored: job.data },
      stalls: job.stalledCounter,
      firstHeardUntilMs: job.firstHeardUntilMs,
      signal,
    });
    crashPoint("W7:before_complete");
    if (disposal === "return") {
      // Refused when another worker holds the job by now: then it is that one's, and nothing is to be done.
      await job.moveToWait(token).catch(this.options.onError);
      throw new WaitingError();
    }
  }

  /**
   * A throw means that nothing was settled, most often because Redis refuses writes. The job goes back, after a pause
   * so that a lasting fault is no hot loop; it never goes to the engine's failed set, which nobody drains for it.
   */
  private async handle(job: DeliveredJob): Promise<Disposal> {
    try {
      return await this.options.handle(job);
    } catch (error) {
      this.options.onError(error instanceof Error ? error : new Error("a delivery ended with no reason"));
      await sleep(UNSETTLED_PAUSE_MS, job.signal).catch(() => undefined);
      return "return";
    }
  }
}
