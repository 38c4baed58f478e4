import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";

export const Order = contract("abroad.order@1", z.object({ task: z.string(), pad: z.string().optional() }));
const Grade = contract("abroad.grade@1", z.object({ grade: z.string() }));
export const Receipt = contract(
  "abroad.receipt@1",
  z.object({ task: z.string(), grade: z.string(), effect: z.number() }),
);

/** What the agents of one test did. */
export interface Doings {
  /** Every effect, by its task: a repeat shows. */
  readonly effects: string[];
  /** Waits before a task is paid for (`task`) or archived (`archive task`). Default: does not. */
  pause: ((what: string) => Promise<void>) | null;
}

/** Intake and report live at home; appraise, which pays a model and acts once, and its archive may live elsewhere. */
export function createBridgedTeam(doings: Doings): Team {
  return team("abroad", [
    agent("abroad-intake@1", {
      accepts: Order,
      to: { "abroad-appraise": Order },
      handle: (order, ctx) =>
        order.task.startsWith("none")
          ? ctx.complete({ task: order.task })
          : ctx.handoff("abroad-appraise", order),
    }),
    agent("abroad-appraise@1", {
      accepts: Order,
      to: { "abroad-archive": Receipt },
      answers: [Grade],
      async handle({ task }, ctx) {
        await doings.pause?.(task);
        if (task.startsWith("rejected")) return ctx.reject("not mine");
        const { grade } = await ctx.model("grade", {
          instructions: "Grade.",
          input: { task },
          answers: Grade,
        });
        const effect = await ctx.once(`effect:${task}`, () => Promise.resolve(doings.effects.push(task)), {
          reconcile: () => {
            const at = doings.effects.indexOf(task);
            return Promise.resolve(at === -1 ? { done: false } : { done: true, value: at + 1 });
          },
        });
        return ctx.handoff("abroad-archive", { task, grade, effect });
      },
    }),
    agent("abroad-archive@1", {
      accepts: Receipt,
      to: { "abroad-report": Receipt },
      async handle(receipt, ctx) {
        await doings.pause?.(`archive ${receipt.task}`);
        return ctx.handoff("abroad-report", receipt);
      },
    }),
    agent("abroad-report@1", { accepts: Receipt, handle: (receipt, ctx) => ctx.complete(receipt) }),
  ]);
}
