import { Script } from "../script.ts";
import { listOf, text, variants } from "../script-reply.ts";

const ADVANCE = {
  parts: ["advance-fan-out.lua"],
  // `held`: branches not started. `fanOuts`: those of the slot, by the time of their next check.
  keys: ["fanOut", "held", "fanOuts", "outbox"],
  args: { fanOutId: "text", entryId: "text", nowMs: "number" },
} as const;

/** Reply: the outbox entry as JSON text; "" if there are no effects, or it was open before. */
export const openFanOut = new Script("open-fan-out.lua", {
  ...ADVANCE,
  args: {
    ...ADVANCE.args,
    lookAtMs: "number",
    fields: "pairs",
    // JSON texts; `awaited` if the branch's receiver must acknowledge.
    heldBranches: { list: { number: "number", send: "text", change: "text", awaited: "text?" } },
  },
  reply: text,
});

/** Reply: `counted`, also for a repeat; `late`: the join has started. */
export const collectBranch = new Script("collect-branch.lua", {
  ...ADVANCE,
  keys: [...ADVANCE.keys, "answers"],
  args: {
    ...ADVANCE.args,
    branch: "number",
    messageId: "text",
    answer: "text",
    costMicro: "number",
    tokens: "number",
  },
  reply: variants({
    counted: { entry: text },
    too_large: { entry: text },
    late: {},
    duplicate: {},
    unknown: {},
  }),
});

/** Reply: as `openFanOut`. */
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
  reply: text,
});

/** Reply: ids of the fan-outs. */
export const takeDueFanOuts = new Script("take-due-fan-outs.lua", {
  keys: ["fanOuts"],
  args: { nowMs: "number", untilMs: "number", limit: "number" },
  reply: listOf(text),
});
