import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { withCheck } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { ComponentDesign, Project } from "../contracts.ts";
import { checkNotDone, tellNotDone } from "../keep-quoted.ts";
import { standIns } from "../recordings.ts";
import { ConfirmAnswer, confirmPlan, PlanAnswer } from "./confirm-plan.ts";

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
