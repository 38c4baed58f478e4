import { z } from "zod";
import { loadConfig } from "#shared/config";
import { defineError } from "#shared/errors";
import type { Context } from "#shared/runtime";

/** Has this task's one effect outside; returns its id. @throws {OutsideFailedError} No answer, or none with an id. */
export async function actOnce(ctx: Pick<Context, "once">, task: string): Promise<string> {
  const { effect_id } = await ctx.once(
    `effect:${task}`,
    async (key, signal) => {
      const done = await askOutside("/effects", signal, { task, key });
      if (done === null) throw new OutsideFailedError();
      return { effect_id: done };
    },
    {
      reconcile: async (key, signal) => {
        const done = await askOutside(`/effects?key=${encodeURIComponent(key)}`, signal);
        return done === null ? { done: false } : { done: true, value: { effect_id: done } };
      },
    },
  );
  return effect_id;
}

const OUTSIDE_TIMEOUT_MS = 3000;

const effectAnswer = z.object({ effect_id: z.string().nullable() });

let outsideUrl: string | null = null;

/** Acts in the outside world, or asks it. @throws {OutsideFailedError} No answer, or none that says anything. */
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

/** The outside world of the suite failed: the faults are over some time. */
class OutsideFailedError extends defineError((cause?: unknown) => ({
  code: "CHAOS_OUTSIDE_FAILED",
  failureClass: "transient",
  message: "The outside system did not answer.",
  remedy: "Try again with the same idempotency key.",
  cause,
})) {}

/** An order that is made to fail, every time. */
export class MoodError extends defineError({
  code: "CHAOS_MOOD",
  failureClass: "handler_error",
  message: "This agent's code fails on such an order.",
  remedy: "None: the order is made to do so.",
}) {}
