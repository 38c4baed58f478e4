import { z } from "zod";
import { loadConfig } from "#shared/config";
import { contract } from "#shared/contract";
import { SutureError } from "#shared/errors";
import { agent, team } from "#shared/runtime";

/** The team under fault: three agents in a row. The middle one pays for a model's answer and acts once outside. */

const Order = contract(
  "chaos.order@1",
  z.strictObject({
    task: z.string(),
    amount: z.number(),
    note: z.string(),
    mood: z.enum(["calm", "throws"]),
  }),
);
const Appraisal = contract(
  "chaos.appraisal@1",
  z.strictObject({ task: z.string(), amount: z.number(), note: z.string() }),
);
const Receipt = contract(
  "chaos.receipt@1",
  z.strictObject({ task: z.string(), amount: z.number(), grade: z.string(), effect_id: z.string() }),
);
const Grade = contract(
  "chaos.grade@1",
  z.strictObject({ task: z.string(), amount: z.number(), grade: z.enum(["a", "b", "c"]) }),
);

const OUTSIDE_TIMEOUT_MS = 3000;
/** As long as it takes: what fails here fails because of the faults, and those end. */
const DELIVERIES_WITHOUT_END = Infinity;

class OutsideFailedError extends SutureError {
  constructor(cause?: unknown) {
    super({
      code: "CHAOS_OUTSIDE_FAILED",
      failureClass: "transient",
      message: "The outside system did not answer.",
      remedy: "Try again with the same idempotency key.",
      cause,
    });
  }
}

class MoodError extends SutureError {
  constructor() {
    super({
      code: "CHAOS_MOOD",
      failureClass: "handler_error",
      message: "This agent's code fails on such an order.",
      remedy: "None: the order is made to do so.",
    });
  }
}

const effectAnswer = z.object({ effect_id: z.string().nullable() });

let outsideUrl: string | null = null;

async function askOutside(path: string, signal: AbortSignal, body?: object): Promise<string | null> {
  outsideUrl ??= loadConfig().sandboxUrl;
  try {
    const reply = await fetch(`${outsideUrl}${path}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(OUTSIDE_TIMEOUT_MS)]),
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    return effectAnswer.parse(await reply.json()).effect_id;
  } catch (error) {
    throw new OutsideFailedError(error);
  }
}

const intake = agent("chaos-intake@1", {
  accepts: Order,
  to: { "chaos-appraise": Appraisal },
  handle: async (order, ctx) => {
    if (order.mood === "throws") throw new MoodError();
    const amount = await ctx.step("weigh", () => order.amount);
    return ctx.handoff("chaos-appraise", { task: order.task, amount, note: order.note });
  },
});

const appraise = agent("chaos-appraise@1", {
  accepts: Appraisal,
  to: { "chaos-report": Receipt },
  answers: [Grade],
  deliveriesMax: DELIVERIES_WITHOUT_END,
  handle: async ({ task, amount }, ctx) => {
    const { grade } = await ctx.model("grade", {
      instructions: "Grade the order.",
      input: { task, amount },
      answers: Grade,
    });
    const effect = await ctx.once(
      `effect:${task}`,
      async (key, signal) => {
        const effect_id = await askOutside("/effects", signal, { task, key });
        if (effect_id === null) throw new OutsideFailedError();
        return { effect_id };
      },
      {
        reconcile: async (key, signal) => {
          const effect_id = await askOutside(`/effects?key=${encodeURIComponent(key)}`, signal);
          return effect_id === null ? { done: false } : { done: true, value: { effect_id } };
        },
      },
    );
    return ctx.handoff("chaos-report", { task, amount, grade, effect_id: effect.effect_id });
  },
});

const report = agent("chaos-report@1", {
  accepts: Receipt,
  deliveriesMax: DELIVERIES_WITHOUT_END,
  handle: (receipt, ctx) => ctx.complete(receipt),
});

export default team("chaos", [intake, appraise, report]);
