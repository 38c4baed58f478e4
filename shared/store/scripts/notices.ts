import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { flag, number, orNull, record, text } from "../script-reply.ts";

/** Reply: true if it is new. */
export const addNotice = new Script("add-notice.lua", {
  // `mark`: deduplication key.
  keys: ["notices", "mark"],
  args: { markLifeMs: "number", noticesMax: "number", noticeType: "text", nowText: "text", data: "text" },
  reply: flag,
});

export const spreadNotices = new Script("spread-notices.lua", {
  keys: ["notices", "spreadUpTo"],
  touches: true,
  args: {
    // `beginsAt`: start of a new receiver.
    ...kindsOf("nowMs:number atOnce:number queueMax:number queueLifeMs:number beginsAt"),
    // `due`: notices by due time; `held`: the notices. `types`: those it subscribes to, separated by commas; null:
    // all.
    receivers: { list: { due: "text", held: "text", types: "text?" } },
  },
  reply: record({ read: number, dropped: number }),
});

export const takeNotice = new Script("take-notice.lua", {
  keys: ["due", "held"],
  args: { nowMs: "number", leaseMs: "number" },
  reply: orNull(record({ id: text, notice: text })),
});
