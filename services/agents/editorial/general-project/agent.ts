import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { ComponentDesign, Project } from "../contracts.ts";
import { PlanAnswer } from "./answer.ts";
import type { PlanInput } from "./answer.ts";
import { readLimit } from "../electronics/constraints.ts";
import { tellNotDone } from "../other-work.ts";
import type { ProjectNotDone } from "../other-work.ts";
import { placeBrief } from "./place-brief.ts";
import { planProject } from "../rehearsal/general-project.ts";

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
  answers: [PlanAnswer],
  standIns: { plan: planProject },
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
      /** Constraints in words that no rule reads: the model was shown them, and a person has to look. */
      unchecked_constraints: constraints.filter((one) => readLimit(one) === null),
      ...tellNotDone(not_done),
    });
  },
});

async function plan(ctx: Context<typeof to>, { title, brief, constraints }: Brief): Promise<HandlerOutcome> {
  const input: PlanInput = { title, brief, constraints };
  const answer = await ctx.model("plan", { instructions: INSTRUCTIONS, input, answers: PlanAnswer });
  const { summary } = answer;
  const { requirements, questions, not_done } = placeBrief(answer, brief);
  if (questions.length > 0 || requirements.length === 0) {
    const status = questions.length > 0 ? "needs_answers" : statusWithout(not_done);
    return ctx.complete({ status, title, summary, designs: [], questions, ...tellNotDone(not_done) });
  }
  return ctx.handoff(
    "electronics",
    { title, project_requirements: requirements, constraints, brief, summary, not_done },
    { handoffType: "component_design", reason: summary, expectedOutput: "a design for each requirement" },
  );
}

function statusWithout(notDone: readonly ProjectNotDone[]): "no_electronics" | "cannot_do" {
  return notDone.every(({ kind }) => kind === "not_placed") ? "no_electronics" : "cannot_do";
}
