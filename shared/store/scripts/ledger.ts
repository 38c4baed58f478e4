import { Script } from "../script.ts";
import { flag, listOf, number, orNull, text, variants } from "../script-reply.ts";
import { finished, FINISH_PARTS, JOB, MAY_FINISH } from "./queues.ts";
import { RUNS } from "./runs.ts";

const HOLD = ["ledger", "jobLock", "cancelledMark"] as const;

/** Reply: `foreign`: other bytes, beside a message that is settled; `replaced`: in the place of one that is not. */
export const begin = new Script("begin.lua", {
  keys: HOLD,
  args: {
    token: "text",
    jobId: "text",
    // Of the sealed bytes.
    digest: "text",
    // RFC 3339.
    nowText: "text",
    // Marks the message accepted, and counts this handling.
    accepts: "flag",
    // How often the job stalled.
    stalls: "number",
    // Its first delivery may have been begun without this script, as first deliveries are.
    mayBeBegunBefore: "flag",
  },
  reply: variants({
    lost: {},
    foreign: {},
    replaced: {},
    replay: { outcome: text },
    cancelled: { fields: listOf(text) },
    // `deaths`: the stalls of this job before which it was being handled, and not only waited in its worker's hands.
    go: { fields: listOf(text), deaths: number },
  }),
});

/** What the fence and the outcome are written with. */
const OUTCOME = {
  token: "text",
  // "outcome", or "d:<job id>" for one delivery.
  outcomeField: "text",
  outcome: "text",
  ledgerLifeMs: "digits",
  // Cancellation overrides it.
  isCancellable: "flag",
  digest: "text",
  // Cost and tokens so far.
  billed: "text",
} as const;

const COMMITTED = { lost: {}, cancelled: {}, settled_before: { outcome: text } } as const;

export const commit = new Script("commit.lua", {
  parts: ["write-outcome.lua"],
  keys: [...HOLD, "outbox"],
  args: { ...OUTCOME, entryId: "text?", entry: "text" },
  reply: variants({ ...COMMITTED, committed: {} }),
});

export const commitTogether = new Script("commit-together.lua", {
  joined: true,
  parts: [...FINISH_PARTS, "write-outcome.lua", "add-plain.lua", ...RUNS.parts],
  keys: [...HOLD, ...RUNS.keys],
  args: {
    ...OUTCOME,
    nowMs: "digits",
    jobOptions: "text",
    ...MAY_FINISH,
    jobs: { list: JOB },
    ...RUNS.args,
  },
  reply: variants({ ...COMMITTED, committed: { finished: orNull(finished) } }),
});

export const recordStep = new Script("record-step.lua", {
  keys: ["ledger", "jobLock"],
  args: { token: "text", stepField: "text", result: "text", digest: "text" },
  reply: variants({ recorded: {}, before: { result: text }, lost: {} }),
});

/** Reply: false where it is accepted or settled by now. */
export const refuseUnaccepted = new Script("refuse-unaccepted.lua", {
  // Of the receiver.
  keys: ["ledger", "outbox", "job"],
  // Without an entry, a relay does what follows.
  args: { outcome: "text", digest: "text", lifeMs: "number", entryId: "text?", entry: "text" },
  reply: flag,
});

/** Reply: false where it was settled before. */
export const settleStranded = new Script("settle-stranded.lua", {
  // Of the receiver.
  keys: ["ledger", "outbox"],
  args: { outcome: "text", lifeMs: "number", entryId: "text", entry: "text" },
  reply: flag,
});
