import { z } from "zod";
import { contract } from "#shared/contract";
import { blackboard, fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { branchesOf } from "../task.ts";
import { actOnce } from "./act-once.ts";
import { Grade } from "./chain.ts";

const Survey = contract(
  "chaos.survey@1",
  z.strictObject({ task: z.string(), amount: z.number(), note: z.string() }),
);
const Branch = contract("chaos.branch@1", z.strictObject({ task: z.string(), amount: z.number() }));
const Answer = contract(
  "chaos.answer@1",
  z.strictObject({ task: z.string(), grade: z.enum(["a", "b", "c"]), effect_id: z.string() }),
);
const Written = contract("chaos.written@1", z.strictObject({ tasks: z.array(z.string()) }));

/** More than the endpoint's own troubles take of one task, and far fewer than an outage of seconds would. */
const DELIVERIES_MAX = 6;
/** Failures outside come of the faults, and those end. */
const DELIVERIES_WITHOUT_END = Infinity;

const boardOf = (ctx: Pick<Context, "board">) => blackboard(ctx, { name: "survey", entry: Written });

const plan = agent("chaos-plan@1", {
  accepts: Survey,
  to: { "chaos-ask": Branch, "chaos-sum": Survey },
  handle: (survey, ctx) =>
    fanOut({
      branches: branchesOf(survey).map((branch) => ctx.handoff("chaos-ask", branch)),
      join: ctx.handoff("chaos-sum", survey),
    }),
});

const ask = agent("chaos-ask@1", {
  accepts: Branch,
  to: { "chaos-act": Grade },
  answers: [Grade],
  deliveriesMax: DELIVERIES_MAX,
  handle: async (branch, ctx) =>
    ctx.handoff(
      "chaos-act",
      await ctx.model("grade", { instructions: "Grade the order.", input: branch, answers: Grade }),
    ),
});

const act = agent("chaos-act@1", {
  accepts: Grade,
  to: { "chaos-sum": Answer },
  deliveriesMax: DELIVERIES_WITHOUT_END,
  handle: async ({ task, grade }, ctx) => {
    const effect_id = await actOnce(ctx, task);
    await boardOf(ctx).update("write", "written", (now) => ({ tasks: [...(now?.tasks ?? []), task] }));
    return ctx.handoff("chaos-sum", { task, grade, effect_id });
  },
});

const sum = join("chaos-sum@1", {
  accepts: Survey,
  collects: Answer,
  deliveriesMax: DELIVERIES_WITHOUT_END,
  handle: async ({ task }, { answers }, ctx) => {
    const { entries } = await boardOf(ctx).read();
    return ctx.complete({
      task,
      answers: answers.map(({ value }) => value),
      written: (entries.get("written")?.value.tasks ?? []).toSorted(),
    });
  },
});

/** The second team under fault: a survey that fans out, asks, acts once, writes on the run's board, and joins. */
export default team("chaos-survey", [plan, ask, act, sum]);
