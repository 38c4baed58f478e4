import { Job, Worker } from "bullmq";
import type { JobJson } from "bullmq";
import { now } from "#shared/clock";
import type { EngineBackend } from "./engine-backend.ts";
import type { FinishTicket } from "../scripts/queues.ts";
import type { JobData } from "./job-data.ts";

/** BullMQ's job with the extra fields of our scripts. */
export class TakenJob extends Job<JobData> {
  unseenUntilMs = 0;
  /** Set once the script of its outcome has finished it: returns the next job. */
  private next: (() => Promise<unknown[]>) | undefined;
  /** Key of its outcome, once written by a separate script. */
  private ledgerKey: string | null = null;

  get isEnded(): boolean {
    return this.next !== undefined;
  }

  /** Returns a ticket to finish this job in the script of its outcome, and take the next if `takesNext` says so. */
  ticket(token: string, takesNext: () => boolean): FinishTicket {
    const jobId = this.id ?? "";
    let finishedMs = 0;
    return {
      toCall: () => {
        finishedMs = now();
        return this.engine.toFinishing({ jobId, takesNext: takesNext(), finishedMs });
      },
      used: (reply) => {
        this.next = () => this.engine.afterFinish({ jobId, token, finishedMs }, reply);
      },
      proveBy: (ledgerKey) => {
        this.ledgerKey = ledgerKey;
      },
    };
  }

  private get engine(): EngineBackend {
    // A TakingWorker always has this backend.
    return this.backend as EngineBackend;
  }

  /** Like BullMQ's own, without its telemetry, which ours replaces. */
  override async moveToCompleted(_value: unknown, token: string, fetchNext = true): Promise<unknown[]> {
    if (this.next !== undefined) return this.next();
    const { ledgerKey } = this;
    const next = await this.engine.finish({ jobId: this.id ?? "", token, fetchNext, ledgerKey });
    if (next !== null) return next;
    // The outcome was lost in a failover, so the job is returned to its queue.
    await this.moveToWait(token);
    return [];
  }
}

type BullWorker = Worker<JobData, void, string, EngineBackend>;

/** BullMQ's worker with our backend and jobs. */
export class TakingWorker extends Worker<JobData, void, string, EngineBackend> {
  /** Jobs that were taken and are not through. */
  inHand = 0;

  protected override createBackend(): void {
    super.createBackend();
    this.backend.room = () => {
      const isStopping = this.closing !== undefined || this.isPaused();
      return isStopping ? 0 : this.concurrency - this.inHand;
    };
  }

  protected override nextJobFromJobData(json?: JobJson, jobId?: string, token?: string): Promise<TakenJob> {
    const own = json !== undefined && json !== null && "token" in json ? String(json.token) : token;
    // Those of `createJob`.
    return super.nextJobFromJobData(json, jobId, own) as Promise<TakenJob>;
  }

  override async processJob(
    ...call: Parameters<BullWorker["processJob"]>
  ): ReturnType<BullWorker["processJob"]> {
    try {
      return await super.processJob(...call);
    } finally {
      this.inHand -= 1;
    }
  }

  override async pause(doesNotWait?: boolean): Promise<void> {
    const paused = super.pause(doesNotWait);
    await this.backend.returnPrefetched();
    await paused;
  }

  override async close(force?: boolean): Promise<void> {
    // Not awaited, because Redis may be away; a clean stop has paused the worker before.
    void this.backend.returnPrefetched();
    await super.close(force);
  }

  protected override createJob(json: JobJson, jobId: string): TakenJob {
    this.inHand += 1;
    const job = TakenJob.fromJSON(this, json, jobId) as TakenJob;
    if ("unseenUntilMs" in json) job.unseenUntilMs = Number(json.unseenUntilMs);
    return job;
  }
}
