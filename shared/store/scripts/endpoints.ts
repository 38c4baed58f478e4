import { Script } from "../script.ts";
import { number, oneOf, record, text } from "../script-reply.ts";

/** How the circuit stands. `reason`: why it opened last. Times in ms; 0: never. */
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
    // The caller's settings are new.
    isFirst: "flag",
    // Calls a second at first after it closed, doubled with each of `steps`, each `stepMs` long.
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
    // Its token, where the call was one.
    probe: "text?",
    // "answered", "failed" or "given_up".
    outcome: "text",
    reason: "text",
    // What the server asked for.
    retryAfterMs: "number",
    // Where only the endpoint's silence speaks against it: an answer to anybody from then on clears it.
    clearedSinceMs: "number?",
    // When the caller last had an answer, or 0.
    callerAnsweredMs: "number",
    failuresMax: "number",
    // To the first probe, doubled with each.
    probeMs: "number",
    probeMsMax: "number",
    // How long it has to be open before people are told.
    toldAfterMs: "number",
    lifeMs: "number",
    noticesMax: "number",
    // JSON.
    noticeFacts: "text",
  },
  reply: record({ verdict: oneOf(["counted", "cleared"]), ...CIRCUIT }),
});
