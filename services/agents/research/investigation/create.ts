import { supervisor } from "#shared/patterns";
import type { Decision, Delegated, Supervision } from "#shared/patterns";
import type { ContractOutput } from "#shared/contract";
import { readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { withCheck } from "../check-quotes.ts";
import { Brief, Commission, Found, Topic } from "../contracts.ts";
import type { ResearchSetup } from "../setup.ts";
import { INVESTIGATION_ROUNDS_MAX, PROMPT_TOKENS_MAX, ROUND_MS_DEFAULT } from "../limits.ts";
import { ResearchPlan, ResearchReview } from "./answer.ts";
import type { PlanInput, ReviewInput } from "./answer.ts";
import { planOrders, reviewFindings } from "../rehearsal/investigation.ts";
import { writeBrief } from "./write-brief.ts";

const PROMPT = new URL("prompt.md", import.meta.url);
const PLAN_INSTRUCTIONS = readPrompt(PROMPT, "plan");
const REVIEW_INSTRUCTIONS = readPrompt(PROMPT, "review");

type State = Supervision<ContractOutput<typeof Commission>, ContractOutput<typeof Found>>;

/**
 * Has every question looked up by a researcher of its own, all at once; has those that found nothing searched again
 * with other words, once; and hands what there is to the report, failures included.
 */
export function createInvestigation({ roundMs = ROUND_MS_DEFAULT }: Pick<ResearchSetup, "roundMs">) {
  return supervisor("investigation", {
    accepts: Commission,
    workers: { researcher: Topic },
    collects: Found,
    handsOnTo: { report: Brief },
    roundsMax: INVESTIGATION_ROUNDS_MAX,
    roundMs,
    answers: [ResearchPlan, ResearchReview],
    standIns: { plan: planOrders, review: reviewFindings },
    needs: {
      plan: { fields: ["/goal", "/questions", "/reference"] },
      review: { fields: ["/goal", "/questions", "/tried"] },
    },
    contextTokensMax: PROMPT_TOKENS_MAX,
    decide: async (state, ctx) => {
      const orders = state.round === 0 ? await plan(state, ctx) : await review(state, ctx);
      if (orders.length === 0) return { handOn: { to: "report", payload: writeBrief(state) } };
      return delegate(state, orders);
    },
  });
}

type Order = ContractOutput<typeof ResearchPlan>["orders"][number];

async function plan({ goal: commission }: State, ctx: Context): Promise<readonly Order[]> {
  const { goal, questions, reference } = commission;
  const input: PlanInput = { goal, questions, reference };
  const answers = withCheck(ResearchPlan, ({ orders }) => [
    ...checkIds(orders, questions, "/orders"),
    ...questions
      .filter(({ question_id: id }) => !orders.some((order) => order.question_id === id))
      .map(({ question_id: id }) => ({
        path: "/orders",
        code: "missing_question",
        message: `there is no order for ${id}`,
      })),
  ]);
  const planned = await ctx.model("plan", { instructions: PLAN_INSTRUCTIONS, input, answers });
  return planned.orders;
}

async function review(state: State, ctx: Context): Promise<readonly Order[]> {
  if (state.left === 0) return [];
  const { goal, questions } = state.goal;
  const input: ReviewInput = { goal, questions, tried: state.done.map(toTried) };
  const answers = withCheck(ResearchReview, ({ again }) => checkIds(again, questions, "/again"));
  const reviewed = await ctx.model("review", { instructions: REVIEW_INSTRUCTIONS, input, answers });
  return reviewed.again;
}

function checkIds(
  orders: readonly Order[],
  questions: readonly { readonly question_id: string }[],
  at: string,
) {
  return orders.flatMap(({ question_id: id }, index) => {
    const first = orders.findIndex((order) => order.question_id === id);
    const isKnown = questions.some((question) => question.question_id === id);
    if (isKnown && first === index) return [];
    const message = isKnown ? "this question has an order already" : "there is no question of this id";
    return [{ path: `${at}/${index}/question_id`, code: "unknown_question", message }];
  });
}

function toTried({ payload, result }: Delegated<ContractOutput<typeof Found>>): ReviewInput["tried"][number] {
  // Of the contract of the worker's edge, by which it was sent.
  const { question, terms } = payload as ContractOutput<typeof Topic>;
  const statements = result?.readings.map(({ statement }) => statement) ?? null;
  return { question_id: question.question_id, terms, statements };
}

function delegate({ goal: { questions }, round }: State, orders: readonly Order[]): Decision {
  return {
    delegate: orders.flatMap(({ question_id: id, terms }) => {
      const question = questions.find((one) => one.question_id === id);
      return question === undefined
        ? []
        : [{ worker: "researcher", payload: { question, terms, round: round + 1 } }];
    }),
  };
}
