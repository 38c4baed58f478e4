import { Script } from "../script.ts";
import { listOf, text, variants } from "../script-reply.ts";

const ADVANCE = {
  parts: ["advance-fan-out.lua"],
  // `held`: the branches that wait to be started. `fanOuts`: the slot's, by when to look at them.
  keys: ["fanOut", "held", "fanOuts", "outbox"],
  args: { fanOutId: "text", entryId: "text", nowMs: "number", slot: "text" },
} as const;

/** Reply: the entry of the outbox that it wrote, as JSON text; "" where nothing follows, or it was open before. */
export const openFanOut = new Script("open-fan-out.lua", {
  ...ADVANCE,
  args: {
    ...ADVANCE.args,
    lookAtMs: "number",
    fields: "pairs",
    // JSON texts; `awaited` where the branch's receiver has to acknowledge.
    heldBranches: { list: { number: "number", send: "text", change: "text", awaited: "text?" } },
  },
  reply: text,
});

/** Reply: `counted` for a repeat of what was counted, too; `late`: the join has been let go. */
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
    // These are of all that the run has spent, not of this branch.
    isOfRun: "flag",
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
    // Why the fan-out has to fire now.
    force: "text?",
    lookAtMs: "number",
    // `state`: "s" under way, "p" in the ward, "f" failed for good.
    sights: { list: { branch: "number", state: "text", failure: "text?" } },
  },
  reply: text,
});

/** Reply: their ids. */
export const takeDueFanOuts = new Script("take-due-fan-outs.lua", {
  keys: ["fanOuts"],
  args: { nowMs: "number", untilMs: "number", limit: "number" },
  reply: listOf(text),
});
