import { Script } from "../script.ts";
import { listOf, nothing, number, oneOf, orNull, record, text } from "../script-reply.ts";

/** Granularity of a circuit's window, in ms. */
export const WINDOW_STEP_MS = 10_000;

const WINDOW = { constants: { BUCKET_MS: WINDOW_STEP_MS } } as const;

/** Arguments of a circuit change. */
const CHANGE = {
  feedbackBase: "text",
  nowMs: "number",
  nowText: "text",
  by: "text",
  noticesMax: "number",
  // Of agents their own list of lines, of people the ward's audit.
  auditKey: "text",
  auditLength: "number",
} as const;

export const reportOutputs = new Script("report-outputs.lua", {
  ...WINDOW,
  parts: ["push-audit.lua", "output-rates.lua", "output-window.lua", "move-circuit.lua"],
  // Names of all circuits, by the time of their last report.
  keys: ["circuits"],
  args: {
    ...CHANGE,
    producersMax: "number",
    pairsMax: "number",
    circuitLifeMs: "number",
    // Well-formed outputs.
    outputs: { list: { producer: "text", count: "number" } },
    reports: {
      list: {
        agent: "text",
        good: "number",
        generation: "number",
        threshold: "number",
        outputsMin: "number",
        windowMs: "number",
        cooldownMs: "number",
        trialOutputs: "number",
        // Compared with the stored text, digit by digit.
        countedShare: "text",
        reaction: "text",
      },
    },
    // `pair`: result and pair of the handoffs.
    handoffs: { list: { pair: "text", count: "number" } },
  },
  reply: listOf(
    record({
      state: orNull(text),
      generation: orNull(number),
      changedMs: orNull(number),
      untilMs: orNull(number),
      heldBy: orNull(text),
    }),
  ),
});

export const countMalformed = new Script("count-malformed.lua", {
  ...WINDOW,
  parts: ["output-rates.lua", "output-window.lua"],
  keys: ["circuit"],
  args: {
    feedbackBase: "text",
    nowMs: "number",
    producersMax: "number",
    producer: "text",
    agent: "text",
    // Point of the message in [0, 1), as `pointOf` returns.
    point: "number",
  },
  reply: nothing,
});

export const setCircuit = new Script("set-circuit.lua", {
  ...WINDOW,
  parts: ["push-audit.lua", "output-window.lua", "move-circuit.lua"],
  keys: ["circuit"],
  args: { ...CHANGE, agent: "text", to: "text", why: "text", seenGeneration: "number?" },
  reply: oneOf(["set", "stale", "absent"]),
});
