import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { flag, listOf, number, orNull, text, variants } from "../script-reply.ts";
import { EFFECTS } from "./effects.ts";
import { ADVANCE_PARTS, OPENING } from "./fan-outs.ts";
import { finished, FINISH_PARTS, MAY_FINISH } from "./queues.ts";

const HOLD = ["ledger", "jobLock", "cancelledMark"] as const;

/** Reply: the bytes differ from those seen before. `foreign`: that message is settled; `replaced`: it is not. */
export const begin = new Script("begin.lua", {
  keys: HOLD,
  // `digest`: SHA-256 of the sealed bytes. `nowText`: RFC 3339. `accepts`: marks the message as accepted, and
  // counts this attempt. `stalls`: number of stalls of the job. `mayBeBegunBefore`: its first delivery may have
  // begun without this script, as first deliveries do.
  args: kindsOf("token jobId digest nowText accepts:flag stalls:number mayBeBegunBefore:flag"),
  reply: variants({
    lost: {},
    foreign: {},
    replaced: {},
    replay: { outcome: text },
    cancelled: { fields: listOf(text) },
    // `deaths`: stalls of this job during handling, without those while it waited in a worker.
    go: { fields: listOf(text), deaths: number },
  }),
});

/** Arguments of the fence and the outcome. */
// `outcomeField`: "outcome" or "d:<job id>". `isCancellable`: cancellation overrides it. `billed`: so far.
const OUTCOME = kindsOf("token outcomeField outcome ledgerLifeMs:digits isCancellable:flag digest billed");

const COMMITTED = { lost: {}, cancelled: {}, settled_before: { outcome: text } } as const;

export const commit = new Script("commit.lua", {
  joined: true,
  grouped: true,
  touches: true,
  parts: [...FINISH_PARTS, "write-outcome.lua", ...EFFECTS.parts, ...ADVANCE_PARTS, "open-fan-out.lua"],
  keys: [...HOLD, ...EFFECTS.keys],
  args: {
    ...OUTCOME,
    nowMs: "digits",
    ...MAY_FINISH,
    ...EFFECTS.args,
    opening: { optional: OPENING },
  },
  reply: variants({ ...COMMITTED, committed: { finished: orNull(finished) } }),
});

export const recordStep = new Script("record-step.lua", {
  grouped: true,
  keys: ["ledger", "jobLock"],
  touches: true,
  // `accountField`: the step's account for display, or nil. `promptKey`: the instructions', or nil if kept.
  args: kindsOf(
    "token stepField result digest accountField account:text? promptKey:text? promptText:text?",
    "promptLifeMs:digits",
  ),
  reply: variants({ recorded: {}, before: { result: text }, lost: {} }),
});

/** Reply: false if it was settled before. */
export const settleStranded = new Script("settle-stranded.lua", {
  touches: true,
  parts: EFFECTS.parts,
  keys: ["ledger", ...EFFECTS.keys],
  args: { outcome: "text", lifeMs: "digits", nowMs: "digits", ...EFFECTS.args },
  reply: flag,
});
