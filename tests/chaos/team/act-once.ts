import type { Context } from "#shared/runtime";
import { askOutside } from "./ask-outside.ts";
import { OutsideFailedError } from "./errors.ts";

/**
 * Has this task's one effect in the outside world, whatever crashes in between.
 *
 * @returns The id of the effect.
 * @throws {OutsideFailedError} No answer, or none that names the effect.
 */
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
