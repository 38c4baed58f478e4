import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { ComponentDesign, Project } from "../contracts.ts";
import { PlanAnswer } from "./answer.ts";
import type { PlanInput } from "./answer.ts";
import { findUngrounded } from "./find-ungrounded.ts";
import { planProject } from "../rehearsal/general-project.ts";

const to = { electronics: ComponentDesign };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "plan");

type Brief = ContractOutput<typeof Project>;
type Plan = ContractOutput<typeof PlanAnswer>;

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
    const { title, summary, report } = project;
    if (report === null) return plan(ctx, project);
    const { designs, questions } = report;
    return ctx.complete({
      status: questions.length > 0 ? "needs_answers" : "designed",
      title,
      summary,
      designs,
      questions,
    });
  },
});

async function plan(ctx: Context<typeof to>, { title, brief, constraints }: Brief): Promise<HandlerOutcome> {
  const input: PlanInput = { title, brief, constraints };
  const answer = await ctx.model("plan", { instructions: INSTRUCTIONS, input, answers: PlanAnswer });
  const questions = [...answer.questions, ...askForUngrounded(answer, brief)];
  const { summary, requirements } = answer;
  if (questions.length > 0)
    return ctx.complete({ status: "needs_answers", title, summary, designs: [], questions });
  if (requirements.length === 0)
    return ctx.complete({ status: "no_electronics", title, summary, designs: [], questions });
  return ctx.handoff(
    "electronics",
    { title, project_requirements: requirements, constraints, brief, summary },
    { handoffType: "component_design", reason: summary, expectedOutput: "a design for each requirement" },
  );
}

function askForUngrounded({ requirements }: Plan, brief: string): Plan["questions"] {
  return requirements.flatMap((one) =>
    findUngrounded(one, brief).map((field) => ({
      about: one.id,
      question: `The brief does not say which ${field.replaceAll("_", " ")} ${one.id} has. Which is it?`,
    })),
  );
}
