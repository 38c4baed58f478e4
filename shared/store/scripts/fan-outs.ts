import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import type { ValuesOf } from "../script-arguments.ts";
import { flag, variants } from "../script-reply.ts";
import { JOB_PARTS } from "./queues.ts";
import { RUN_ARGS, RUN_KEYS, RUNS } from "./runs.ts";

/** Parts needed by `advance`. */
export const ADVANCE_PARTS = [...JOB_PARTS, ...RUNS.parts, "advance-fan-out.lua"] as const;

const ADVANCE = {
  // Keys of its run and of its join's queue. Those of branches are in what is held.
  touches: true,
  parts: ADVANCE_PARTS,
  // `held`: branches not started. `fanOuts`: those of the join, by the time of their next check.
  keys: ["fanOut", "held", "fanOuts", ...RUN_KEYS],
  args: { fanOutId: "text", nowMs: "number", startsMax: "number", ...RUN_ARGS },
} as const;

/** A fan-out to be opened. */
// `staged`: key of its held branches, written before, and their number.
export const OPENING = kindsOf("key staged held:number index id lookAtMs:number fields:pairs");

export type OpeningCall = ValuesOf<typeof OPENING>;

/** Returns the keys that opening a fan-out derives itself. */
export function touchedByOpening(opening: OpeningCall | null): readonly string[] {
  return opening === null ? [] : [opening.key, `${opening.key}:held`, opening.staged, opening.index];
}

/** Reply: `counted`, also for a repeat; `late`: the join has started. */
export const collectBranch = new Script("collect-branch.lua", {
  ...ADVANCE,
  keys: [...ADVANCE.keys, "answers"],
  args: {
    ...ADVANCE.args,
    ...kindsOf("branch:number messageId answer costMicro:number tokens:number"),
  },
  reply: variants({
    counted: { isMore: flag },
    too_large: { isMore: flag },
    late: {},
    duplicate: {},
    unknown: {},
  }),
});

/** Reply: whether more branches could start at once. */
export const tendFanOut = new Script("tend-fan-out.lua", {
  ...ADVANCE,
  args: {
    ...ADVANCE.args,
    // Reason to start the join now.
    force: "text?",
    lookAtMs: "number",
    // `state`: "s" started, "p" in the ward, "f" failed.
    sights: { list: { branch: "number", state: "text", failure: "text?" } },
  },
  reply: flag,
});
