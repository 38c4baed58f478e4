import { readFileSync } from "node:fs";
import { z } from "zod";
import { random } from "#shared/clock";
import { checkBudget } from "#shared/envelope";
import {
  costOf,
  ModelAnswerTooLargeError,
  ModelCircuitOpenError,
  ModelRateLimitedError,
  ModelRefusalError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "#shared/model";
import type { ModelAnswer } from "#shared/model";
import type { JsonValue } from "#shared/surgery";
import { SutureError } from "#shared/errors";
import { paidAnswerField } from "#shared/ward";
import type { Look } from "#shared/ward";
import { ANSWER_SCHEMA, writeQuestion } from "./question.ts";
import { refuse } from "./procedure.ts";
import type { Bill, Objected, Procedure, Proposal } from "./procedure.ts";
import type { Patient } from "../patient.ts";
import { SURGEON_ID } from "../surgery.ts";
import type { Surgery } from "../surgery.ts";

const INSTRUCTIONS = readFileSync(new URL("./strong-model.md", import.meta.url), "utf8");

/** Bounds of an answer in tokens, and how many characters of text a token stands for when money is set aside. */
const TOKENS_MIN = 1024;
const TOKENS_MAX = 6000;
const CHARS_PER_TOKEN = 3;

const MICRO = 1_000_000;

/** The last waits before a case is tried again grow to this, in ms. */
const WAIT_MS_MAX = 60_000;

const answerSchema = z.object({
  verdict: z.enum(["repaired", "irreparable"]),
  payload: z.string(),
  reason: z.string(),
  recipe: z.string().nullable().optional(),
});

/** An answer that was paid for, as the case keeps it. */
type PaidAnswer = { readonly text: string; readonly bill: Bill };

type Asked =
  | { readonly kind: "answered"; readonly paid: PaidAnswer }
  | { readonly kind: "said"; readonly proposal: Proposal };

/** Asks a strong model, within the limits of the case, the hour and the run. */
export const strongModel: Procedure = {
  name: "strong_model",
  provenAs: "model",
  propose: (surgery, patient, { signal }) => consider({ surgery, patient, signal, look: 1, objected: null }),
};

/**
 * Shows the model once what the proof found against its repair. What was invented may stand in a source after all, and
 * what was lost may come back; a second objection is a person's.
 */
export const secondLook: Procedure = {
  name: "strong_model",
  provenAs: "model",
  propose: async (surgery, patient, { signal, objected }) =>
    objected?.by === "strong_model" ? consider({ surgery, patient, signal, look: 2, objected }) : null,
};

interface Consideration {
  readonly surgery: Surgery;
  readonly patient: Patient;
  readonly signal: AbortSignal;
  readonly look: Look;
  readonly objected: Objected | null;
}

async function consider(on: Consideration): Promise<Proposal> {
  const { surgery, patient, look } = on;
  if (patient.text.length > surgery.limits.letterCharsMax)
    return refuse("The letter is too long to show to a model.");
  const known = patient.stored.fields[paidAnswerField(patient.operation, look)];
  // Written below, by a surgeon that did not live to use it.
  if (known !== undefined) return readAnswer(JSON.parse(known) as PaidAnswer);
  const asked = await ask(on);
  return asked.kind === "said" ? asked.proposal : readAnswer(asked.paid);
}

async function ask({ surgery, patient, signal, look, objected }: Consideration): Promise<Asked> {
  if (!isAffordable(patient)) return said(refuse("The run's budget leaves nothing for a model."));
  const input = writeQuestion(patient, objected);
  const tokensMax = Math.min(TOKENS_MAX, TOKENS_MIN + Math.ceil(patient.text.length / CHARS_PER_TOKEN) * 2);
  const usage = {
    input_tokens: Math.ceil((INSTRUCTIONS.length + input.length) / CHARS_PER_TOKEN),
    output_tokens: tokensMax,
  };
  const model = surgery.model.modelFor("surgeon");
  const reserved = await surgery.store.cases.costs.reserve({
    caseId: patient.stored.case_id,
    fingerprint: patient.stored.fingerprint,
    micro: Math.ceil(costOf(model, usage, surgery.prices) * MICRO),
    limits: {
      caseMicroMax: Math.round(surgery.limits.costPerCase * MICRO),
      hourMicroMax: Math.round(surgery.limits.costPerHour * MICRO),
      groupMicroMax: Math.round(surgery.limits.costPerGroup * MICRO),
    },
  });
  if (reserved.kind === "case")
    return said(refuse("What may be spent on this case does not cover a model's answer."));
  if (reserved.kind === "group")
    return said(refuse("What may be spent on its group does not cover a model's answer."));
  if (reserved.kind === "hour") {
    const reason = "What may be spent in this hour is spent.";
    return said({ kind: "wait", delayMs: reserved.retryAfterMs + 1000 * random(), reason });
  }
  const { reservation } = reserved;
  const { costs } = surgery.store.cases;
  try {
    const answer = await surgery.model.ask({
      tier: "surgeon",
      instructions: INSTRUCTIONS,
      input,
      schemaName: "repair",
      jsonSchema: ANSWER_SCHEMA,
      tokensMax,
      signal,
      timeoutMs: surgery.limits.modelTimeoutMs,
      agent: SURGEON_ID,
      step: "repair",
    });
    const paid = { text: answer.text, bill: billOf(answer) };
    const kept = { field: paidAnswerField(patient.operation, look), text: JSON.stringify(paid) };
    await costs.settle(reservation, { micro: Math.round(answer.cost * MICRO), answer: kept });
    return { kind: "answered", paid };
  } catch (error) {
    const spent = error instanceof ModelRefusalError ? error.answer.cost : 0;
    await costs.settle(reservation, { micro: Math.round(spent * MICRO), answer: null });
    return said(fromError(error, surgery));
  }
}

function said(proposal: Proposal): Asked {
  return { kind: "said", proposal };
}

/** What a failed call means for the case. The endpoint's troubles are not the letter's: then the case waits. */
function fromError(error: unknown, surgery: Surgery): Proposal {
  if (error instanceof ModelRefusalError) return refuse("The model declined.", billOf(error.answer));
  if (error instanceof ModelAnswerTooLargeError) return refuse("The model's answer was too long.");
  if (error instanceof ModelRequestRefusedError) return refuse("The endpoint does not take this question.");
  if (error instanceof ModelCircuitOpenError || error instanceof ModelRateLimitedError) {
    return {
      kind: "wait",
      delayMs: Math.max(surgery.limits.waitMsMin, error.retryAfterMs),
      reason: error.message,
    };
  }
  if (error instanceof ModelTimeoutError || error instanceof ModelUnavailableError) {
    const delayMs = Math.min(WAIT_MS_MAX, surgery.limits.waitMsMin * (1 + random()));
    return { kind: "wait", delayMs, reason: error.message };
  }
  throw error;
}

/** Held against the budget as before any model call of the run. */
function isAffordable(patient: Patient): boolean {
  try {
    checkBudget(patient.letter.envelope.billing, { cost: 0, tokens: 0 });
    return true;
  } catch (error) {
    if (error instanceof SutureError) return false;
    throw error;
  }
}

function billOf(answer: ModelAnswer): Bill {
  return {
    model: answer.model,
    tokens: answer.usage.input_tokens + answer.usage.output_tokens,
    cost: answer.cost,
  };
}

function readAnswer({ text, bill }: PaidAnswer): Proposal {
  const answer = answerSchema.safeParse(parse(text));
  if (!answer.success) return refuse("The model's answer cannot be read.", bill);
  const reason = answer.data.reason.slice(0, 1000);
  if (answer.data.verdict === "irreparable") return refuse(`Irreparable, says the model: ${reason}`, bill);
  const value = parse(answer.data.payload);
  if (value === undefined) return refuse("The payload in the model's answer is not JSON.", bill);
  const recipe = parse(answer.data.recipe ?? "null");
  return { kind: "repair", value, reason, bill, recipe };
}

function parse(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives nothing but JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
