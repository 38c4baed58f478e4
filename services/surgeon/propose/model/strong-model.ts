import { readFileSync } from "node:fs";
import { crashPoint } from "#shared/crash-points";
import { SURGEON_ID } from "#shared/envelope";
import type { ModelAnswer } from "#shared/model";
import type { Reservation } from "#shared/store/cases";
import { CaseRecord, paidAnswerField } from "#shared/ward";
import type { ModelTry } from "#shared/ward";
import type { RepairContext } from "../../cases/repair-context.ts";
import type { Surgery } from "../../surgery.ts";
import { chooseExamples } from "../examples/examples.ts";
import { refuse } from "../procedure.ts";
import type { Objected, Procedure, Proposal } from "../procedure.ts";
import { conceal, namesPlaceholder } from "./conceal.ts";
import type { Concealed } from "./conceal.ts";
import { readTrouble } from "./model-trouble.ts";
import { estimate, isAffordable, MICRO, reserve } from "./money.ts";
import { billOf, isWhole, readAnswer, sumOf } from "./paid-answer.ts";
import type { PaidAnswer } from "./paid-answer.ts";
import { ANSWER_SCHEMA, writeQuestion } from "./question.ts";

const INSTRUCTIONS = readFileSync(new URL("./strong-model.md", import.meta.url), "utf8");

/** Limits of an answer in tokens; longer messages get more. */
const TOKENS_MIN = 1024;
const TOKENS_MAX = 6000;
const CHARS_PER_TOKEN = 3;

/** Asks the strong model, within the budgets of the case, the hour and the run. */
export const strongModel: Procedure = {
  name: "strong_model",
  provenAs: "model",
  propose: (surgery, context, { signal }) =>
    askWithinLimits({ surgery, context, signal, modelTry: 1, objected: null }),
};

/** Shows the model the proof's objections once. A second rejection goes to a person. */
export const strongModelRetry: Procedure = {
  name: "strong_model",
  provenAs: "model",
  propose: async (surgery, context, { signal, objected }) =>
    objected?.by === "strong_model"
      ? askWithinLimits({ surgery, context, signal, modelTry: 2, objected })
      : null,
};

interface ModelAttempt {
  readonly surgery: Surgery;
  readonly context: RepairContext;
  readonly signal: AbortSignal;
  readonly modelTry: ModelTry;
  readonly objected: Objected | null;
}

async function askWithinLimits(on: ModelAttempt): Promise<Proposal> {
  const { surgery, context, modelTry, objected } = on;
  const { subjectCharsMax } = surgery.limits;
  const known = new CaseRecord(context.stored).paidAnswer(context.operation, modelTry);
  const concealed = conceal(surgery, context, objected);
  if (concealed === null)
    return refuse("The message cannot be read, and its contract marks values that no model may see.");
  // Stored below by a surgeon that crashed before it used it.
  if (known !== null) return revealed(readAnswer(JSON.parse(known) as PaidAnswer), concealed);
  if (context.text.length > subjectCharsMax) return refuse("The message is too long to show to a model.");
  if (objected !== null && JSON.stringify(objected.value).length > subjectCharsMax)
    return refuse("The model's repair is too long to show to it again.");
  if (!isAffordable(context)) return refuse("The run's budget leaves nothing for a model.");
  const cut = new CaseRecord(context.stored).paidAnswer(context.operation, modelTry, "cut_off");
  // Stored below, as the whole one.
  const before = cut === null ? null : (JSON.parse(cut) as PaidAnswer);
  return revealed(await ask(on, concealed, before), concealed);
}

/**
 * The model's repair with the concealed values restored. Drops a recipe with a placeholder, because recipes
 * apply to other messages.
 */
function revealed(proposal: Proposal, concealed: Concealed): Proposal {
  if (proposal.kind !== "repair") return proposal;
  const { recipe, bill, said, examples } = proposal;
  const repaired = concealed.reveal(proposal.value);
  if (repaired === null) {
    const reason = "The model put a value that it may not see where its contract does not hide it.";
    const words = {
      ...(said === undefined ? {} : { said }),
      ...(examples === undefined ? {} : { examples }),
    };
    return { ...refuse(reason, bill), ...words };
  }
  return {
    ...proposal,
    value: repaired.value,
    recipe: namesPlaceholder(JSON.stringify(recipe ?? null)) ? null : recipe,
  };
}

/**
 * Asks the model. An answer that was cut off is asked for once more with more room, if the budgets cover that.
 *
 * @param before - The answer that was cut off; null for a first question.
 */
async function ask(on: ModelAttempt, concealed: Concealed, before: PaidAnswer | null): Promise<Proposal> {
  const { surgery, context, objected } = on;
  const examples = await chooseExamples(surgery, context);
  const input = writeQuestion(context, { objected, examples: examples.shown, concealed });
  const tokensMax = Math.min(TOKENS_MAX, TOKENS_MIN + Math.ceil(context.text.length / CHARS_PER_TOKEN) * 2);
  const room = before?.moreRoom === undefined ? {} : { room: before.moreRoom };
  const most = surgery.model.roomOf({ tier: "surgeon", tokensMax, ...room });
  const usage = estimate([INSTRUCTIONS, input, JSON.stringify(ANSWER_SCHEMA)], most);
  const reserved = await reserve(surgery, context, usage);
  if (reserved.kind === "refusal" && before !== null) return readAnswer(before);
  if (reserved.kind !== "reserved") return reserved;
  crashPoint("W16:after_reserve_before_question");
  const { reservation } = reserved;
  const called = await call(on, { input, tokensMax, ...room, reservation });
  if (called.kind === "trouble") return called.proposal;
  crashPoint("W16:after_answer_before_kept");
  const { answer } = called;
  const { caseIds } = examples;
  const { moreRoom } = answer;
  const isCutOff = before === null && moreRoom !== undefined && !isWhole(answer.text);
  const paid = {
    text: answer.text,
    bill: before === null ? billOf(answer) : sumOf(before.bill, billOf(answer)),
    ...(isCutOff ? { moreRoom } : {}),
    ...(caseIds.length === 0 ? {} : { examples: caseIds }),
  };
  const field = paidAnswerField(context.operation, on.modelTry, isCutOff ? "cut_off" : "whole");
  const kept = { field, text: JSON.stringify(paid) };
  const micro = Math.round(answer.cost * MICRO);
  await surgery.store.cases.costs.settle(reservation, { micro, answer: kept });
  crashPoint("W16:after_kept_before_verdict");
  if (isCutOff) return ask(on, concealed, paid);
  return readAnswer(paid);
}

/** Sends the question, and settles its cost when no usable answer comes back. */
async function call(
  { surgery, signal }: ModelAttempt,
  asked: {
    readonly input: string;
    readonly tokensMax: number;
    readonly room?: number;
    readonly reservation: Reservation;
  },
): Promise<
  | { readonly kind: "answered"; readonly answer: ModelAnswer }
  | { readonly kind: "trouble"; readonly proposal: Proposal }
> {
  const { reservation, ...question } = asked;
  const { costs } = surgery.store.cases;
  try {
    const answer = await surgery.model.ask({
      tier: "surgeon",
      instructions: INSTRUCTIONS,
      ...question,
      schemaName: "repair",
      jsonSchema: ANSWER_SCHEMA,
      signal,
      timeoutMs: surgery.limits.modelTimeoutMs,
      agent: SURGEON_ID,
      step: "repair",
    });
    return { kind: "answered", answer };
  } catch (error) {
    // A sent call may have been charged, so its cost counts against the hour.
    const unknown = { micro: 0, hourMicro: reservation.micro, answer: null };
    if (signal.aborted) {
      await costs.settle(reservation, unknown);
      throw error;
    }
    const { proposal, paid } = readTrouble(error, surgery);
    const micro = paid.kind === "known" ? Math.round(paid.cost * MICRO) : 0;
    await costs.settle(reservation, paid.kind === "unknown" ? unknown : { micro, answer: null });
    return { kind: "trouble", proposal };
  }
}
