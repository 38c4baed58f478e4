import { Script } from "../script.ts";
import { listOf, nothing, number, oneOf, orNull, record, text } from "../script-reply.ts";

/** Outputs of a circuit's window are counted in steps of this length, in ms. */
export const WINDOW_STEP_MS = 10_000;

const WINDOW = { constants: { BUCKET_MS: WINDOW_STEP_MS } } as const;

/** What a change of a circuit is written down with. */
const CHANGE = {
  wardBase: "text",
  nowMs: "number",
  nowText: "text",
  by: "text",
  noticesMax: "number",
  auditLength: "number",
} as const;

export const tellOutputs = new Script("tell-outputs.lua", {
  ...WINDOW,
  parts: ["push-audit.lua", "output-rates.lua", "output-window.lua", "move-circuit.lua"],
  // Names of all circuits, by when they were last heard of.
  keys: ["circuits"],
  args: {
    ...CHANGE,
    producersMax: "number",
    pairsMax: "number",
    circuitLifeMs: "number",
    // Well-formed ones.
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
        // Compared with what is stored, digit by digit.
        countedShare: "text",
        reaction: "text",
      },
    },
    // `pair`: how its handoffs ended, and which pair it is.
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
    wardBase: "text",
    nowMs: "number",
    producersMax: "number",
    producer: "text",
    agent: "text",
    // Where in [0, 1) the message stands.
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
