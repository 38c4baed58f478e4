import { Script } from "../script.ts";
import type { ValuesOf } from "../script-arguments.ts";
import { flag, listOf, nothing, number, text, variants } from "../script-reply.ts";
import type { ReadBy } from "../script-reply.ts";

/** A job for now and without a priority, as `addPlain` takes it. */
export const JOB = { base: "text", jobId: "text", data: "text", atHead: "flag" } as const;

export const addJob = new Script("add-job.lua", {
  parts: ["add-plain.lua"],
  touches: true,
  args: {
    queueBase: "text",
    jobId: "text",
    data: "text",
    jobOptions: "text",
    nowMs: "digits",
    atHead: "flag",
  },
  reply: nothing,
});

export const addDelayed = new Script("add-delayed.lua", {
  parts: ["redis-time.lua", "delayed-score.lua"],
  keys: ["delayed", "job"],
  touches: true,
  args: {
    jobId: "text",
    data: "text",
    options: "text",
    delayMs: "number",
    // 0: none.
    priority: "number",
    queueBase: "text",
  },
  reply: nothing,
});

const TAKE_PARTS = ["delayed-score.lua", "sealed-text.lua", "take-next.lua"] as const;

/** What `finishAndTake` uses. */
export const FINISH_PARTS = [...TAKE_PARTS, "finish-plain.lua"] as const;

/** What `takeNext` reads. */
const TAKE = {
  queueBase: "text",
  takenMs: "digits",
  lockMs: "digits",
  // Of the agent's ledger and of its cancelled marks; null where the ledger is not asked.
  ledgerBase: "text?",
  cancelledBase: "text",
} as const;

/** What `finishAndTake` reads. `keptMax`, `keptMs`: of finished jobs; null trims them another time. */
const FINISH = {
  ...TAKE,
  finishedJobId: "text",
  keptMax: "digits",
  keptMs: "number?",
  takesNext: "flag",
} as const;

export type Taking = ValuesOf<typeof TAKE>;

export type Finishing = ValuesOf<typeof FINISH>;

/** For a script that ends the job where `finishes`. */
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

/** @param finishing - Null: the job is ended another time. */
export function toMayFinish(finishing: Finishing | null): ValuesOf<typeof MAY_FINISH> {
  return finishing === null ? NO_FINISH : { finishes: true, ...finishing };
}

const NEXT = {
  // The engine's own script has to look.
  engine: {},
  // When a delayed job falls due, in ms, or 0.
  none: { dueMs: number },
  // `isFirst`: the ledger knows nothing of this message, and its run is not cancelled. `isMore`: more waits.
  job: { id: text, data: text, starts: number, stalls: number, isFirst: flag, isMore: flag },
} as const;

/** A reply of `takeNext`. */
const takenNext = variants(NEXT);

/** A reply of `finishAndTake`; `failed`: the engine's own code. */
export const finished = variants({ ...NEXT, failed: { code: number } });

export type TakenNext = NonNullable<ReadBy<typeof takenNext>>;

export type Finished = NonNullable<ReadBy<typeof finished>>;

/** Reply: what `takeNext` says of each; of one that is no job only if it is the first. */
export const takeJob = new Script("take-job.lua", {
  parts: TAKE_PARTS,
  touches: true,
  args: { token: "text", ...TAKE, takenMax: "number" },
  reply: listOf(takenNext),
});

/** Reply: `undone`: its outcome does not stand. */
export const finishJob = new Script("finish-job.lua", {
  parts: FINISH_PARTS,
  // `provedBy`: the hash in which the outcome of the job stands.
  keys: ["provedBy"],
  touches: true,
  // `isProved`: ends it only where its outcome stands.
  args: { token: "text", isProved: "flag", ...FINISH },
  reply: variants({ ...NEXT, failed: { code: number }, undone: {} }),
});
