import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { contract, withCheck } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { ComponentDesign, Project, question } from "../contracts.ts";
import { checkNotDone, tellNotDone, notDoneList } from "../keep-quoted.ts";
import { standIns } from "../recordings.ts";
import { ConfirmAnswer, confirmPlan } from "./confirm-plan.ts";
import { remark } from "../contract-fields.ts";
import { requirement } from "../requirements.ts";

/** Requirements that a brief has for the electronics, and what it leaves open. */
export const PlanAnswer = contract(
  "general-project.plan@3",
  z.object({
    summary: remark,
    requirements: z.array(requirement).max(12),
    /** Questions to be answered before anything can be designed. */
    questions: z.array(question).max(12),
    /** Parts of the brief that ask for something else than the known circuits. */
    not_done: notDoneList,
  }),
  {
    description:
      "The circuits a brief asks for with their stated quantities, and questions where a quantity is missing.",
    check: ({ requirements }) => {
      const ids = requirements.map(({ id }) => id);
      return new Set(ids).size < ids.length
        ? [{ path: "/requirements", code: "named_twice", message: "each requirement has an id of its own" }]
        : [];
    },
  },
);

const to = { electronics: ComponentDesign };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "plan");

type Brief = ContractOutput<typeof Project>;

/** Plans a project, has its circuits designed, and asks where the brief does not say enough. */
export const generalProject = agent("general-project@1", {
  accepts: Project,
  guard: { mayCause: [] },
  to,
  description: "Plans projects and has their electronics designed; asks for what a brief leaves open.",
  capabilities: ["project-planning"],
  answers: [PlanAnswer, ConfirmAnswer],
  standIns: { plan: standIns.plan, confirm: standIns.confirm },
  handle: async (project, ctx) => {
    const { title, summary, report, constraints, not_done } = project;
    if (report === null) return plan(ctx, project);
    const { designs, questions } = report;
    return ctx.complete({
      status: questions.length > 0 ? "needs_answers" : "designed",
      title,
      summary,
      designs,
      questions,
      unchecked_constraints: constraints,
      ...tellNotDone(not_done),
    });
  },
});

async function plan(ctx: Context<typeof to>, { title, brief, constraints }: Brief): Promise<HandlerOutcome> {
  const answers = withCheck(PlanAnswer, ({ not_done: other }) => checkNotDone(other, brief));
  const planned = await ctx.model("plan", {
    instructions: INSTRUCTIONS,
    input: { title, brief, constraints },
    answers,
  });
  const { summary, requirements, not_done } = planned;
  const questions = await confirmPlan(ctx, planned, brief);
  if (questions.length > 0 || requirements.length === 0) {
    const status =
      questions.length > 0 ? "needs_answers" : not_done.length > 0 ? "cannot_do" : "no_electronics";
    return ctx.complete({ status, title, summary, designs: [], questions, ...tellNotDone(not_done) });
  }
  return ctx.handoff(
    "electronics",
    { title, project_requirements: requirements, constraints, brief, summary, not_done },
    { handoffType: "component_design", reason: summary, expectedOutput: "a design for each requirement" },
  );
}
