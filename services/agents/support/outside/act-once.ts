import type { Context, OnceOptions, Transitions } from "#shared/runtime";

interface Effect<Made> {
  readonly key: string;
  readonly act: (idempotencyKey: string, signal: AbortSignal) => Promise<Made>;
  /** Returns what was made under the key, or null. */
  readonly find: (idempotencyKey: string, signal: AbortSignal) => Promise<Made | null>;
}

/** Causes an effect once for its key. After a crash in between, the outside system is asked whether it happened. */
export function actOnce<Made, To extends Transitions>(
  ctx: Context<To>,
  { key, act, find }: Effect<Made>,
  options: Pick<OnceOptions<Made>, "scope"> = {},
): Promise<Made> {
  return ctx.once<Made>(key, act, {
    ...options,
    reconcile: async (idempotencyKey, signal) => {
      const made = await find(idempotencyKey, signal);
      return made === null ? { done: false } : { done: true, value: made };
    },
  });
}
