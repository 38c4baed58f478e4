import type { Context, Transitions } from "#shared/runtime";
import type { EffectPort } from "./ports.ts";

interface Effect<Draft, Made> {
  readonly key: string;
  readonly port: EffectPort<Draft, Made>;
  readonly draft: Draft;
}

/** Causes an effect once for its key. After a crash in between, the outside system is asked whether it happened. */
export function actOnce<Draft, Made, To extends Transitions>(
  ctx: Context<To>,
  { key, port, draft }: Effect<Draft, Made>,
): Promise<Made> {
  return ctx.once<Made>(key, (idempotencyKey, signal) => port.make(draft, idempotencyKey, signal), {
    reconcile: async (idempotencyKey, signal) => {
      const made = await port.find(idempotencyKey, signal);
      return made === null ? { done: false } : { done: true, value: made };
    },
  });
}
