import { readFileSync } from "node:fs";
import { refuse } from "../procedure.ts";
import type { NoRepair, Objected, Procedure, Proposal, Repair } from "../procedure.ts";
import { conceal, namesPlaceholder } from "./conceal.ts";
import type { Concealed } from "./conceal.ts";
import { isAffordable, askPaid, knownAnswer } from "./paid-call.ts";
import { isWhole, readAnswer } from "./paid-answer.ts";
import type { ModelAttempt } from "./paid-call.ts";
import { ANSWER_SCHEMA, writeQuestion } from "./question.ts";
import { isDisputed, provedTwice } from "./second-reading.ts";

const INSTRUCTIONS = readFileSync(new URL("./strong-model.md", import.meta.url), "utf8");

/** A longer payload or answer to repair is shown to no model. */
const SUBJECT_CHARS_MAX = 60_000;

/** Limits of an answer in tokens; longer messages get more. */
const TOKENS_MIN = 1024;
const TOKENS_MAX = 6000;
const CHARS_PER_TOKEN = 3;

/** Asks the strong model, within the budgets of the case, the hour and the run. */
export const strongModel: Procedure = {
  name: "strong_model",
  propose: (surgery, context, { signal }) =>
    askWithinLimits({ surgery, context, signal, modelTry: 1, objected: null }),
};

/**
 * Shows the model the proof's objections once. A second rejection goes to a person, and so does a repair that a second
 * reading of the text disputes.
 */
export const strongModelRetry: Procedure = {
  name: "strong_model",
  propose: async (surgery, context, { signal, objected }) =>
    objected?.by === "strong_model" && !isDisputed(objected.objections)
      ? askWithinLimits({ surgery, context, signal, modelTry: 2, objected })
      : null,
};

interface RepairAttempt extends ModelAttempt {
  readonly objected: Objected | null;
}

async function askWithinLimits(on: RepairAttempt): Promise<Proposal> {
  const { surgery, context, objected } = on;
  const known = knownAnswer(on, "whole");
  const concealed = conceal(surgery, context, objected);
  if (concealed === null)
    return refuse("The message cannot be read, and its contract marks values that no model may see.");
  if (known !== null) return revealed(on, readAnswer(known), concealed);
  if (context.text.length > SUBJECT_CHARS_MAX) return refuse("The message is too long to show to a model.");
  if (objected !== null && JSON.stringify(objected.value).length > SUBJECT_CHARS_MAX)
    return refuse("The model's repair is too long to show to it again.");
  if (!isAffordable(context)) return refuse("The run's budget leaves nothing for a model.");
  return revealed(on, await ask(on, concealed), concealed);
}

/**
 * The model's repair with the concealed values restored, and proved. Drops a recipe with a placeholder, because recipes
 * apply to other messages.
 */
function revealed(
  on: RepairAttempt,
  answer: Repair | NoRepair,
  concealed: Concealed,
): Proposal | Promise<Proposal> {
  if (answer.kind !== "repair") return answer;
  const { recipe, bill, said, quotes = [] } = answer;
  const repaired = concealed.reveal(answer.value);
  if (repaired === null) {
    const reason = "The model put a value that it may not see where its contract does not hide it.";
    return { ...refuse(reason, bill), ...(said === undefined ? {} : { said }) };
  }
  const repair = {
    ...answer,
    value: repaired.value,
    quotes: concealed.revealQuotes(quotes),
    recipe: namesPlaceholder(JSON.stringify(recipe ?? null)) ? null : recipe,
  };
  return provedTwice({ ...on, tokensMax: tokensFor(on) }, repair, concealed);
}

function tokensFor({ context }: ModelAttempt): number {
  return Math.min(TOKENS_MAX, TOKENS_MIN + Math.ceil(context.text.length / CHARS_PER_TOKEN) * 4);
}

async function ask(on: RepairAttempt, concealed: Concealed): Promise<Repair | NoRepair> {
  const { context, objected } = on;
  const question = {
    instructions: INSTRUCTIONS,
    input: writeQuestion(context, { objected, concealed }),
    jsonSchema: ANSWER_SCHEMA,
    schemaName: "repair",
    step: "repair",
    tokensMax: tokensFor(on),
  };
  const asked = await askPaid(on, question, { part: "whole", isWhole });
  return asked.kind === "answered" ? readAnswer(asked.paid) : asked.proposal;
}
