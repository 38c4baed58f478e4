import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import type { Hold, LedgerRecord } from "#shared/store/ledger";
import type { RunChange } from "#shared/store/runs";
import type { Admission, Effects } from "#shared/store/settlement";
import { ModelRun } from "./model-run.ts";
import { openTroubledStore } from "./troubled-store.ts";
import type { Trouble } from "./troubled-store.ts";

export const AGENTS = ["alpha", "beta", "gamma"] as const;
export const SURGEON_FENCE = { jobId: "surgery", token: "surgeon" } as const;

/** Fate of one message, which nothing that happens later may change. */
export interface MessageTruth {
  readonly runId: string;
  readonly agent: string;
  readonly hop: number;
  isAccepted: boolean;
  final: string | null;
  /** Outcomes of single deliveries, by job id. */
  readonly deliveries: Map<string, string>;
  readonly steps: Map<string, string>;
  costMicro: number;
  tokens: number;
}

export interface RunTruth {
  readonly model: ModelRun;
  isCancelled: boolean;
  /** Asked for when the end was there: it must change nothing, unless a restored message begins the run anew. */
  isCancelledLate: boolean;
  failed: number;
  expired: number;
}

/** A job as the engine has it: waiting, or held under a token, or done, or forgotten. */
export interface Job {
  readonly jobId: string;
  readonly messageId: string;
  readonly agent: string;
  readonly lane: "fresh" | "retry";
  state: "waiting" | "held" | "finished" | "gone";
  token: string;
  /** The engine counts starts in the job; with the job it forgets them. */
  wasStarted: boolean;
}

/** A worker that began a delivery. It goes on after it has lost its job: then it is a zombie. */
export interface Worker {
  readonly job: Job;
  readonly hold: Hold;
  readonly record: LedgerRecord;
  readonly mustCancel: boolean;
}

/** Several runs on the product's own store; engine, workers and faults are played by the test and told to the model. */
export class Machine {
  readonly store: Store;
  readonly trouble: Trouble;
  readonly runs = new Map<string, RunTruth>();
  readonly messages = new Map<string, MessageTruth>();
  readonly jobs = new Map<string, Job>();
  readonly cases = new Set<string>();
  readonly oldCases: StoredCase[] = [];
  readonly keys = new Map<string, { readonly runId: string; readonly digest: string }>();
  workers: Worker[] = [];
  private count = 0;

  constructor(how: { readonly url: string; readonly prefix: string; readonly shard: number }) {
    const opened = openTroubledStore({
      ...how,
      onTold: (changes) => this.tell(changes),
      onSettled: (entry) => this.noteSettled(entry),
    });
    this.store = opened.store;
    this.trouble = opened.trouble;
  }

  /** Forgets the last sequence; what Redis holds of it stays, for the counters go on. */
  async begin(): Promise<void> {
    for (const known of [this.runs, this.messages, this.jobs, this.cases, this.keys]) known.clear();
    this.oldCases.length = 0;
    this.workers = [];
    // Rests of a failed sequence must not come up in the next.
    await this.store.redis.del(this.store.keys.inbox());
    const { jobId, token } = SURGEON_FENCE;
    await this.store.redis.set(this.store.keys.lock("ward", jobId), token);
  }

  /** A text that nothing else in this machine is called. */
  fresh(what: string): string {
    this.count += 1;
    return `${what}-${this.count}`;
  }

  /** Tells the models of runs what their records were told. */
  tell(changes: readonly RunChange[]): void {
    for (const [runId, own] of Map.groupBy(changes, (change) => change.event.run_id))
      this.runs.get(runId)?.model.tell(own);
  }

  /** Takes in one dead message, as a surgeon does; dying, it leaves it in the inbox, and it is taken in again. */
  async takeIn(text: string): Promise<void> {
    // Written by the machine's own settlements.
    await this.admit(JSON.parse(text) as Admission);
    if (!this.trouble.isDying) await this.store.redis.lrem(this.store.keys.inbox(), 1, text);
  }

  addRun(runId: string, messageId: string): void {
    this.runs.set(runId, {
      model: new ModelRun(messageId),
      isCancelled: false,
      isCancelledLate: false,
      failed: 0,
      expired: 0,
    });
    this.addMessage(messageId, { runId, agent: AGENTS[0], hop: 1 });
  }

  addMessage(messageId: string, of: Pick<MessageTruth, "runId" | "agent" | "hop">): void {
    if (this.messages.has(messageId)) return;
    this.messages.set(messageId, {
      ...of,
      isAccepted: false,
      final: null,
      deliveries: new Map(),
      steps: new Map(),
      costMicro: 0,
      tokens: 0,
    });
  }

  run(runId: string): RunTruth {
    const found = this.runs.get(runId);
    if (found === undefined) throw new Error(`the machine has no run ${runId}`);
    return found;
  }

  message(messageId: string): MessageTruth {
    const found = this.messages.get(messageId);
    if (found === undefined) throw new Error(`the machine has no message ${messageId}`);
    return found;
  }

  jobsIn(state: Job["state"]): Job[] {
    return [...this.jobs.values()].filter((job) => job.state === state);
  }

  /** The engine's own end of a job, written as the audit reads it. */
  async finish(job: Job): Promise<void> {
    const key = this.jobKey(job);
    await Promise.all([this.store.redis.hset(key, "finishedOn", "1"), this.store.redis.del(`${key}:lock`)]);
    job.state = "finished";
    job.token = "";
  }

  /** The stall check's work: the lock is gone, the job waits for somebody else. */
  async stall(job: Job): Promise<void> {
    await this.store.redis.del(`${this.jobKey(job)}:lock`);
    job.state = "waiting";
    job.token = "";
  }

  /** The engine forgets a finished job; its id may come again. */
  async evict(job: Job): Promise<void> {
    await this.store.redis.del(this.jobKey(job));
    Object.assign(job, { state: "gone", wasStarted: false });
  }

  jobKey(job: Pick<Job, "agent" | "lane" | "jobId">): string {
    const queue = job.lane === "retry" ? `${job.agent}.retry` : job.agent;
    return this.store.keys.job(queue, job.jobId);
  }

  /** Tells the models of a settlement; its jobs are the engine's from now on. */
  noteSettled(entry: Effects): void {
    this.tell(entry.changes);
    this.noteJobs(entry.sends);
  }

  noteJobs(sends: Effects["sends"]): void {
    for (const send of sends) {
      const known = this.jobs.get(send.jobId);
      if (known?.state === "gone") known.state = "waiting";
      if (known !== undefined || send.lane === "ward") continue;
      this.jobs.set(send.jobId, {
        jobId: send.jobId,
        messageId: send.jobId.split(".")[0] ?? "",
        agent: send.agent,
        lane: send.lane,
        state: "waiting",
        token: "",
        wasStarted: false,
      });
    }
  }

  private async admit(admission: Admission): Promise<void> {
    const { case_id, run_id, message_id, agent, status } = admission;
    await this.store.cases.write({
      caseId: case_id,
      expectedVersion: 0,
      status: status === "quarantined" ? "quarantined" : "admitted",
      fingerprint: "f",
      sets: { run_id: String(run_id), message_id: String(message_id), agent: String(agent) },
      effects: null,
      audit: null,
    });
    this.cases.add(case_id);
  }
}
