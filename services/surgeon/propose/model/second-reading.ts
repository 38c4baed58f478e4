import { readFileSync } from "node:fs";
import type { ModelReading, Objection } from "#shared/proof";
import { proveRepair } from "#shared/proof";
import type { Proposal, Repair } from "../procedure.ts";
import type { Concealed } from "./conceal.ts";
import { askPaid, knownAnswer } from "./paid-call.ts";
import type { ModelAttempt } from "./paid-call.ts";
import { readReading, sumOf } from "./paid-answer.ts";
import { READING_SCHEMA, writeReadingQuestion } from "./question.ts";

const INSTRUCTIONS = readFileSync(new URL("./second-reading.md", import.meta.url), "utf8");

/** Objections that another reading of the text may answer. */
const ANSWERABLE: ReadonlySet<Objection["code"]> = new Set(["unread", "unaccounted"]);

/** Returns true for objections that stand after the text was read a second time, or would after it was. */
export function isDisputed(objections: readonly Objection[]): boolean {
  return objections.length > 0 && objections.every(({ code }) => ANSWERABLE.has(code));
}

/**
 * Proves a model's repair. Where only the sense of the text speaks for it, the model is asked what the text says,
 * without what is wrong with it and what was answered before; both have to agree.
 */
export async function provedTwice(
  on: ModelAttempt & { readonly tokensMax: number },
  repair: Repair,
  concealed: Concealed,
): Promise<Proposal> {
  const { value, quotes } = repair;
  const alone = proveRepair(on.context, { value, provenAs: "model", quotes });
  if (!isDisputed(alone.objections)) return { ...repair, proof: alone };
  const known = knownAnswer(on, "reading");
  const asked =
    known === null ? await readAgain(on, concealed) : ({ kind: "answered", paid: known } as const);
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
    instructions: INSTRUCTIONS,
    input: writeReadingQuestion(on.context, concealed),
    jsonSchema: READING_SCHEMA,
    schemaName: "second_reading",
    step: "read",
    tokensMax: on.tokensMax,
    temperature: 0,
  };
  return askPaid(on, question, { part: "reading", isWhole: (text) => readReading({ text }) !== null });
}
