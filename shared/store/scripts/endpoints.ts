import { Script } from "../script.ts";
import { kindsOf } from "../script-arguments.ts";
import { number, oneOf, record, text } from "../script-reply.ts";

/** State of the circuit. `reason`: of the last opening. Times in ms; 0: never. */
const CIRCUIT = {
  state: text,
  generation: number,
  reason: text,
  openedMs: number,
  closedMs: number,
  failures: number,
} as const;

export const admitCall = new Script("admit-call.lua", {
  keys: ["circuit"],
  // `isFirst`: true if the caller's settings are new. `firstPerSecond`: calls per second after it closed: the
  // initial rate, doubled with each of `steps`, each `stepMs` long.
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
