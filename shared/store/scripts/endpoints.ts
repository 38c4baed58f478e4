import { Script } from "../script.ts";
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
  args: {
    nowMs: "number",
    token: "text",
    probeLifeMs: "number",
    // True if the caller's settings are new.
    isFirst: "flag",
    // Calls per second after it closed: the initial rate, doubled with each of `steps`, each `stepMs` long.
    firstPerSecond: "number",
    stepMs: "number",
    steps: "number",
  },
  reply: record({ verdict: oneOf(["call", "probe", "wait"]), waitMs: number, ...CIRCUIT }),
});

export const reportCall = new Script("report-call.lua", {
  keys: ["circuit", "notices"],
  args: {
    nowMs: "number",
    nowText: "text",
    // Token of the probe, if the call was one.
    probe: "text?",
    // "answered", "failed" or "given_up".
    outcome: "text",
    reason: "text",
    // Retry-After of the server.
    retryAfterMs: "number",
    // For timeouts only: an answer to any process after this time clears the failure.
    clearedSinceMs: "number?",
    // Time of the caller's last answer, or 0.
    callerAnsweredMs: "number",
    failuresMax: "number",
    // Time to the first probe, doubled with each.
    probeMs: "number",
    probeMsMax: "number",
    // How long it must be open before a notice is sent.
    noticeAfterMs: "number",
    lifeMs: "number",
    noticesMax: "number",
    // JSON.
    noticeFacts: "text",
  },
  reply: record({ verdict: oneOf(["counted", "cleared"]), ...CIRCUIT }),
});
