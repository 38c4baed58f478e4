import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { flag, nothing, number, oneOf, record, text } from "../script-reply.ts";

export const countRates = new Script("count-rates.lua", {
  keys: ["ofMinute", "ofHour", "ofDay"],
  args: { rows: { list: { field: "text", count: "number" } }, rowsMax: "number" },
  reply: nothing,
});

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
    // `due`: notices by due time; `held`: the notices. `types`: those subscribed to, between commas; null: all.
    receivers: { list: { due: "text", held: "text", types: "text?" } },
  },
  reply: record({ read: number, dropped: number }),
});

/** `generation` rises with each opening; `reason`: its last, "" for none; `failures`: since an answer. Times in ms. */
const CIRCUIT = {
  state: oneOf(["closed", "open"]),
  generation: number,
  reason: text,
  openedMs: number,
  closedMs: number,
  failures: number,
} as const;

export const admitCall = new Script("admit-call.lua", {
  keys: ["circuit"],
  // `isFirst`: new settings. `firstPerSecond`: calls per second after it closed, doubled `steps` times each `stepMs`.
  args: kindsOf(
    "nowMs:number token probeLifeMs:number isFirst:flag firstPerSecond:number stepMs:number",
    "steps:number",
  ),
  reply: record({ verdict: oneOf(["call", "probe", "wait"]), waitMs: number, ...CIRCUIT }),
});

export const reportCall = new Script("report-call.lua", {
  keys: ["circuit", "notices"],
  // `probe`: token of the probe, if the call was one. `outcome`: "answered", "failed" or "given_up".
  // `retryAfterMs`: Retry-After of the server. `clearedSinceMs`: for timeouts only: an answer to any process after
  // this time clears the failure. `callerAnsweredMs`: time of the caller's last answer, or 0. `probeMs`: time to
  // the first probe, doubled with each. `noticeAfterMs`: how long it must be open before a notice is sent.
  // `noticeFacts`: JSON.
  args: kindsOf(
    "nowMs:number nowText probe:text? outcome reason retryAfterMs:number clearedSinceMs:number?",
    "callerAnsweredMs:number failuresMax:number probeMs:number probeMsMax:number noticeAfterMs:number",
    "lifeMs:number noticesMax:number noticeFacts",
  ),
  reply: record({ verdict: oneOf(["counted", "cleared"]), ...CIRCUIT }),
});
