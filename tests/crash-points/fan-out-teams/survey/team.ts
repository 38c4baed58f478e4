import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";

/** A plan that asks many, a join that counts what they say, and a report of it. The lame never answer. */

const Plan = contract("survey.plan@1", z.object({ people: z.int(), lame: z.int() }));
const Question = contract("survey.question@1", z.object({ person: z.int(), is_lame: z.boolean() }));
const Answer = contract("survey.answer@1", z.object({ person: z.int() }));
const Count = contract("survey.count@1", z.object({ answered: z.int(), missing: z.array(z.int()) }));

export const WINDOW = 4;

const plan = agent("survey-plan@1", {
  accepts: Plan,
  to: { "survey-ask": Question, "survey-merge": Plan },
  handle: (input, ctx) =>
    fanOut({
      branches: Array.from({ length: input.people }, (_, person) =>
        ctx.handoff("survey-ask", { person, is_lame: person < input.lame }),
      ),
      join: ctx.handoff("survey-merge", input),
      policy: "collect",
      window: WINDOW,
    }),
});

const ask = agent("survey-ask@1", {
  accepts: Question,
  to: { "survey-merge": Answer },
  handle: ({ person, is_lame }, ctx) =>
    is_lame ? ctx.complete(null) : ctx.handoff("survey-merge", { person }),
});

const merge = join("survey-merge@1", {
  accepts: Plan,
  collects: Answer,
  to: { "survey-report": Count },
  handle: (_plan, { answers, failures }, ctx) =>
    ctx.handoff("survey-report", {
      answered: new Set(answers.map(({ value }) => value.person)).size,
      missing: failures.map(({ index }) => index),
    }),
});

const report = agent("survey-report@1", { accepts: Count, handle: (input, ctx) => ctx.complete(input) });

export default team("survey", [plan, ask, merge, report]);
