import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import type { ValuesOf } from "../script-arguments.ts";
import { flag, listOf, nothing, number, text, variants } from "../script-reply.ts";
import type { ReadBy } from "../script-reply.ts";

/** A job in the form of `addJob`. */
// `base`: of the queue's keys. `options`: stored form. `delayMs`: 0: none. `atHead`: before waiting jobs.
export const JOB = kindsOf("base jobId data options delayMs:number priority:number atHead:flag");

export type JobCall = ValuesOf<typeof JOB>;

/** Parts needed by `addJob`. */
export const JOB_PARTS = ["redis-time.lua", "delayed-score.lua", "add-jobs.lua"] as const;

export const addJob = new Script("add-job.lua", {
  parts: JOB_PARTS,
  touches: true,
  args: { jobs: { list: JOB }, nowMs: "digits" },
  reply: nothing,
});

const TAKE_PARTS = ["delayed-score.lua", "take-next.lua"] as const;

/** Parts needed by `finishAndTake`. */
export const FINISH_PARTS = [...TAKE_PARTS, "finish-plain.lua"] as const;

/** Arguments of `takeNext`. */
// `ledgerBase`: key bases of the agent's ledger and cancellation marks; null if the ledger is not read.
const TAKE = kindsOf("queueBase takenMs:digits lockMs:digits ledgerBase:text? cancelledBase");

/** Arguments of `finishAndTake`. `keptMax`, `keptMs`: limits of finished jobs; null skips trimming. */
const FINISH = {
  ...TAKE,
  ...kindsOf("finishedJobId keptMax:digits keptMs:number? takesNext:flag"),
} as const;

export type Taking = ValuesOf<typeof TAKE>;

export type Finishing = ValuesOf<typeof FINISH>;

/** For a script that finishes the job if `finishes`. */
export const MAY_FINISH = { finishes: "flag", ...FINISH } as const;

const NO_FINISH: ValuesOf<typeof MAY_FINISH> = {
  finishes: false,
  queueBase: "",
  takenMs: 0,
  lockMs: 0,
  ledgerBase: null,
  cancelledBase: "",
  finishedJobId: "",
  keptMax: 0,
  keptMs: null,
  takesNext: false,
};

/** @param finishing - Null: the job is finished later. */
export function toMayFinish(finishing: Finishing | null): ValuesOf<typeof MAY_FINISH> {
  return finishing === null ? NO_FINISH : { finishes: true, ...finishing };
}

/** Returns the keys that finishing a job and taking the next one derives itself, but for the job that comes next. */
export function touchedByFinish(finishing: Finishing | null): readonly string[] {
  if (finishing === null) return [];
  const { queueBase, finishedJobId } = finishing;
  const names = ["wait", "active", "completed", "delayed", "meta", "marker", "prioritized", finishedJobId];
  return names.map((name) => queueBase + name);
}

const NEXT = {
  // BullMQ's own script must run.
  engine: {},
  // Due time of the next delayed job, in ms, or 0.
  none: { dueMs: number },
  // `isFirst`: the ledger has no entry of this message, and its run is not cancelled. `isMore`: more jobs wait.
  job: { id: text, data: text, starts: number, stalls: number, isFirst: flag, isMore: flag },
} as const;

/** Parses a reply of `takeNext`. */
const takenNext = variants(NEXT);

/** Parses a reply of `finishAndTake`; `failed`: BullMQ's code. */
export const finished = variants({ ...NEXT, failed: { code: number } });

export type TakenNext = NonNullable<ReadBy<typeof takenNext>>;

export type Finished = NonNullable<ReadBy<typeof finished>>;

/** Reply: that of `takeNext` for each job; one without a job only comes first. */
export const takeJob = new Script("take-job.lua", {
  parts: TAKE_PARTS,
  touches: true,
  args: { token: "text", ...TAKE, takenMax: "number" },
  reply: listOf(takenNext),
});

/** Reply: `undone`: the outcome is missing. */
export const finishJob = new Script("finish-job.lua", {
  parts: FINISH_PARTS,
  // `provedBy`: hash that holds the outcome of the job.
  keys: ["provedBy"],
  touches: true,
  // `isProved`: finish it only if the outcome is there.
  args: { token: "text", isProved: "flag", ...FINISH },
  reply: variants({ ...NEXT, failed: { code: number }, undone: {} }),
});

/** Lets the script that commits an outcome finish the job and take the next: one call to Redis instead of two. */
export interface FinishTicket {
  toCall(): Finishing;
  /** Records the reply of a script that finished the job. */
  used(reply: Finished): void;
  /** Records that another script wrote the outcome here: the job is finished only if a failover has not lost it. */
  proveBy(ledgerKey: string): void;
}

/** Reply: false if something holds it, or it has ended. */
export const relistJob = new Script("relist-job.lua", {
  keys: ["job", "lock", "wait", "active", "paused", "delayed", "prioritized", "failed", "marker"],
  args: { jobId: "text", nowMs: "number" },
  reply: flag,
});
