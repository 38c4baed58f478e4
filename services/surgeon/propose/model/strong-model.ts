import { readFileSync } from "node:fs";
import { refuse } from "../procedure.ts";
import type { NoRepair, Objected, Procedure, Proposal, Repair } from "../procedure.ts";
import { conceal, namesPlaceholder } from "./conceal.ts";
import type { Concealed } from "./conceal.ts";
import { isAffordable, askPaid, knownAnswer } from "./paid-call.ts";
import { isWhole, readAnswer, readReading, sumOf } from "./paid-answer.ts";
import type { ModelAttempt } from "./paid-call.ts";
import { ANSWER_SCHEMA, writeQuestion, READING_SCHEMA, writeReadingQuestion } from "./question.ts";
import type { ModelReading, Objection } from "#shared/proof";
import { proveRepair } from "#shared/proof";

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

/** Shows the proof's objections once. A second rejection, or a disputing second reading, goes to a person. */
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

/** The model's repair, concealed values restored, proved. A recipe with a placeholder is dropped: it fits no other. */
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

const READING_INSTRUCTIONS = readFileSync(new URL("./second-reading.md", import.meta.url), "utf8");

/** Objections that another reading of the text may answer. */
const ANSWERABLE: ReadonlySet<Objection["code"]> = new Set(["unread", "unaccounted"]);

/** Returns true for objections that stand after the text was read a second time, or would after it was. */
function isDisputed(objections: readonly Objection[]): boolean {
  return objections.length > 0 && objections.every(({ code }) => ANSWERABLE.has(code));
}

/** Proves a model's repair. Where sense alone speaks for it, a second, blind reading of the text has to agree. */
async function provedTwice(
  on: ModelAttempt & { readonly tokensMax: number },
  repair: Repair,
  concealed: Concealed,
): Promise<Proposal> {
  const { value, quotes } = repair;
  const alone = proveRepair(on.context, { value, provenAs: "model", quotes });
  if (!isDisputed(alone.objections)) return { ...repair, proof: alone };
  const asked = await readAgain(on, concealed);
  if (asked.kind === "unanswered")
    return asked.proposal.kind === "wait" ? asked.proposal : { ...repair, proof: alone };
  const bill = sumOf(repair.bill, asked.paid.bill);
  const second = readReading(asked.paid);
  if (second === null) return { ...repair, bill, proof: alone };
  const read = concealed.reveal(second.value);
  if (read === null) return { ...repair, bill, proof: alone };
  const apart = { value: read.value, quotes: concealed.revealQuotes(second.quotes) } satisfies ModelReading;
  const proof = proveRepair(on.context, { value, provenAs: "model", quotes, second: apart });
  return { ...repair, bill, proof };
}

function readAgain(
  on: ModelAttempt & { readonly tokensMax: number },
  concealed: Concealed,
): ReturnType<typeof askPaid> {
  const question = {
    instructions: READING_INSTRUCTIONS,
    input: writeReadingQuestion(on.context, concealed),
    jsonSchema: READING_SCHEMA,
    schemaName: "second_reading",
    step: "read",
    tokensMax: on.tokensMax,
    temperature: 0,
  };
  return askPaid(on, question, { part: "reading", isWhole: (text) => readReading({ text }) !== null });
}
