import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { checkAnswered, checkDistinct, contract, withCheck } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { ComponentDesign, Project, question, remark } from "../contracts.ts";
import { checkNotDone, tellNotDone, holdsWords, notDoneList } from "../keep-quoted.ts";
import { standIns } from "../recordings.ts";
import { findImpossible, requirement } from "../designs.ts";
import type { Requirement } from "../designs.ts";

const PlanAnswer = contract(
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
    check: ({ requirements }) =>
      checkDistinct(
        requirements.map(({ id }) => id),
        "/requirements",
      ),
  },
);

type Plan = ContractOutput<typeof PlanAnswer>;

const QUESTIONS_MAX = 12;
const words = z.string().max(300);

const ConfirmAnswer = contract(
  "general-project.confirmation@1",
  z.object({
    values: z.array(
      z.object({
        value_id: z.string().max(8),
        is_stated: z.boolean(),
        /** Words of the brief that state it; empty where none do. */
        quote: words,
      }),
    ),
    /** Words of the brief that state a quantity of a circuit, or ask for a circuit, that is not among the values. */
    left_out: z.array(words).max(QUESTIONS_MAX),
  }),
  { description: "Whether a brief states each value, and what of its circuits is not among them." },
);

interface ConfirmInput {
  readonly brief: string;
  readonly values: readonly {
    readonly value_id: string;
    readonly circuit: string;
    readonly quantity: string;
    readonly value: unknown;
  }[];
  readonly done_elsewhere: readonly string[];
}

const to = { electronics: ComponentDesign };

const PROMPT = new URL("prompt.md", import.meta.url);
const PLAN_INSTRUCTIONS = readPrompt(PROMPT, "plan");
const CONFIRM_INSTRUCTIONS = readPrompt(PROMPT, "confirm");

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
    if (report === null) return planProject(ctx, project);
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

async function planProject(
  ctx: Context<typeof to>,
  { title, brief, constraints }: Brief,
): Promise<HandlerOutcome> {
  const answers = withCheck(PlanAnswer, ({ not_done: other }) => checkNotDone(other, brief));
  const planned = await ctx.model("plan", {
    instructions: PLAN_INSTRUCTIONS,
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

/** Returns what has to be asked about a plan. Asks no model where the plan asks by itself. */
async function confirmPlan(ctx: Context, plan: Plan, brief: string): Promise<Plan["questions"]> {
  const asked = plan.requirements.flatMap((one) => {
    const impossible = findImpossible(one);
    const asks = `${one.id} is impossible: ${impossible}. What is to change?`;
    return impossible === null ? [] : [{ about: one.id, question: asks }];
  });
  const first = [...plan.questions, ...asked].slice(0, QUESTIONS_MAX);
  if (first.length > 0) return first;
  const values = plan.requirements
    .flatMap(listValues)
    .map((one, index) => ({ value_id: `v${index + 1}`, ...one }));
  const input: ConfirmInput = { brief, values, done_elsewhere: plan.not_done.map((one) => one.words) };
  const answers = withCheck(ConfirmAnswer, (answer) => checkConfirmation(answer, input));
  const confirmed = await ctx.model("confirm", {
    instructions: CONFIRM_INSTRUCTIONS,
    input,
    answers,
    temperature: 0,
  });
  return [
    ...values
      .filter(({ value_id: id }) => confirmed.values.some((one) => one.value_id === id && !one.is_stated))
      .map(({ circuit, quantity }) => ({
        about: circuit,
        question: `The brief does not say which ${quantity.replaceAll("_", " ")} ${circuit} has. Which is it?`,
      })),
    ...confirmed.left_out.map((said) => ({
      about: said.slice(0, 80),
      question: `Which circuit is this for, and does it go with the rest: "${said}"?`,
    })),
  ].slice(0, QUESTIONS_MAX);
}

type Confirmation = ContractOutput<typeof ConfirmAnswer>;

function checkConfirmation(
  { values, left_out: leftOut }: Confirmation,
  { brief, values: asked }: ConfirmInput,
) {
  const invented = { code: "invented_quotation", message: "these words do not stand in the brief" };
  return [
    ...checkAnswered(
      asked.map(({ value_id: id }) => id),
      values.map(({ value_id: id }) => id),
      "/values",
    ),
    ...values.flatMap(({ is_stated: isStated, quote }, index) =>
      isStated && !holdsWords(brief, quote) ? [{ path: `/values/${index}/quote`, ...invented }] : [],
    ),
    ...leftOut.flatMap((said, index) =>
      holdsWords(brief, said) ? [] : [{ path: `/left_out/${index}`, ...invented }],
    ),
  ];
}

/** Every quantity of a requirement that its author has to have stated. */
function listValues(one: Requirement) {
  const { kind: _, id, ...quantities } = one;
  return Object.entries(quantities).flatMap(([quantity, value]: [string, unknown]) =>
    value === null ? [] : [{ circuit: id, quantity, value }],
  );
}
