import { crashPoint } from "#shared/crash-points";
import { SURGEON_ID } from "#shared/envelope";
import type { ModelAnswer, ModelCall } from "#shared/model";
import type { Reservation } from "#shared/store/cases";
import { CaseRecord, paidAnswerField } from "#shared/ward";
import type { AnswerPart, ModelTry } from "#shared/ward";
import type { RepairContext } from "../../cases/repair-context.ts";
import type { Surgery } from "../../surgery.ts";
import type { Proposal } from "../procedure.ts";
import { readTrouble } from "./model-trouble.ts";
import { estimate, MICRO, reserve } from "./money.ts";
import type { PaidAnswer } from "./paid-answer.ts";

/** One try at a case by the model. */
export interface ModelAttempt {
  readonly surgery: Surgery;
  readonly context: RepairContext;
  readonly signal: AbortSignal;
  readonly modelTry: ModelTry;
}

type Question = Pick<
  ModelCall,
  "instructions" | "input" | "jsonSchema" | "schemaName" | "step" | "room" | "temperature"
> & { readonly tokensMax: number };

/** Returns an answer that was paid for and stored, by a surgeon that may have crashed since; null for none. */
export function knownAnswer({ context, modelTry }: ModelAttempt, part: AnswerPart): PaidAnswer | null {
  const known = new CaseRecord(context.stored).paidAnswer(context.operation, modelTry, part);
  // Written below.
  return known === null ? null : (JSON.parse(known) as PaidAnswer);
}

/**
 * Asks the model within the budgets of case, group and hour, and stores what it answered before it is used.
 *
 * @returns `unpaid`: no budget covers it, or the hour's is spent; `trouble`: the call failed.
 */
export async function askPaid(
  on: ModelAttempt,
  question: Question,
  keep: (answer: ModelAnswer) => { readonly part: AnswerPart; readonly paid: PaidAnswer },
): Promise<
  | { readonly kind: "answered"; readonly part: AnswerPart; readonly paid: PaidAnswer }
  | { readonly kind: "unpaid" | "trouble"; readonly proposal: Proposal }
> {
  const { surgery, context, modelTry } = on;
  const { instructions, input, jsonSchema, tokensMax, room } = question;
  const most = surgery.model.roomOf({ tier: "surgeon", tokensMax, ...(room === undefined ? {} : { room }) });
  const usage = estimate([instructions, input, JSON.stringify(jsonSchema)], most);
  const reserved = await reserve(surgery, context, usage);
  if (reserved.kind !== "reserved") return { kind: "unpaid", proposal: reserved };
  crashPoint("W16:after_reserve_before_question");
  const called = await call(on, question, reserved.reservation);
  if (called.kind === "trouble") return called;
  crashPoint("W16:after_answer_before_kept");
  const { part, paid } = keep(called.answer);
  const field = paidAnswerField(context.operation, modelTry, part);
  const micro = Math.round(called.answer.cost * MICRO);
  await surgery.store.cases.costs.settle(reserved.reservation, {
    micro,
    answer: { field, text: JSON.stringify(paid) },
  });
  crashPoint("W16:after_kept_before_verdict");
  return { kind: "answered", part, paid };
}

/** Sends the question, and settles its cost when no usable answer comes back. */
async function call(
  { surgery, signal }: ModelAttempt,
  question: Question,
  reservation: Reservation,
): Promise<
  | { readonly kind: "answered"; readonly answer: ModelAnswer }
  | { readonly kind: "trouble"; readonly proposal: Proposal }
> {
  const { costs } = surgery.store.cases;
  try {
    const answer = await surgery.model.ask({
      tier: "surgeon",
      ...question,
      signal,
      timeoutMs: surgery.limits.modelTimeoutMs,
      agent: SURGEON_ID,
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
