import { random } from "#shared/clock";
import { tenantOfUser } from "#shared/config";
import { crashPoint } from "#shared/crash-points";
import { SURGEON_ID } from "#shared/envelope";
import { checkBudget } from "#shared/envelope/limits";
import { SutureError } from "#shared/errors";
import {
  ModelAnswerTooLargeError,
  ModelCircuitOpenError,
  ModelInputRefusedError,
  ModelRateLimitedError,
  ModelRefusalError,
  ModelRequestRefusedError,
  costOf,
  mayBePaid,
  tokensAtMost,
} from "#shared/model";
import type { ModelAnswer, ModelCall } from "#shared/model";
import type { Reservation } from "#shared/store/cases";
import { paidAnswer, paidAnswerField } from "#shared/ward";
import type { AnswerPart, ModelTry } from "#shared/ward";
import type { RepairContext } from "../../cases/case.ts";
import type { Surgery } from "../../surgery.ts";
import { refuse } from "../procedure.ts";
import type { NoRepair } from "../procedure.ts";
import { billOf, sumOf } from "./paid-answer.ts";
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

type Asked =
  | { readonly kind: "answered"; readonly paid: PaidAnswer }
  | { readonly kind: "unanswered"; readonly proposal: NoRepair };

/** Returns an answer that was paid for and stored, by a surgeon that may have crashed since; null for none. */
export function knownAnswer({ context, modelTry }: ModelAttempt, part: AnswerPart): PaidAnswer | null {
  const known = paidAnswer(context.stored, context.operation, modelTry, part);
  // Written below.
  return known === null ? null : (JSON.parse(known) as PaidAnswer);
}

/** Answers that were cut off, by what was asked for. */
const CUT_OFF = { whole: "cut_off", reading: "reading_cut_off", note: "note_cut_off" } as const;

/**
 * Asks the model within the budgets of case, group and hour, and stores what it answered before it is used. An answer
 * that is stored already is returned without a call; one that was cut off is asked for once more with more room, and
 * is the answer where no budget covers that.
 *
 * @param wanted.isWhole - Returns true for an answer that holds all that is asked for, although it was called cut off.
 */
export async function askPaid(
  on: ModelAttempt,
  asking: Omit<Question, "room">,
  wanted: { readonly part: keyof typeof CUT_OFF; readonly isWhole: (text: string) => boolean },
): Promise<Asked> {
  const { surgery, context, modelTry } = on;
  const known = knownAnswer(on, wanted.part);
  if (known !== null) return { kind: "answered", paid: known };
  const cutOff = CUT_OFF[wanted.part];
  let before = knownAnswer(on, cutOff);
  for (;;) {
    const room = before?.higherLimit;
    const question: Question = room === undefined ? asking : { ...asking, room };
    const reserved = await reserve(surgery, context, estimate(surgery, question));
    if (reserved.kind === "refusal" && before !== null) return { kind: "answered", paid: before };
    if (reserved.kind !== "reserved") return { kind: "unanswered", proposal: reserved };
    crashPoint("W16:after_reserve_before_question");
    const called = await call(on, question, reserved.reservation);
    if (called.kind === "unanswered") return called;
    crashPoint("W16:after_answer_before_kept");
    const { text, higherLimit, cost } = called.answer;
    const isCutOff = before === null && higherLimit !== undefined && !wanted.isWhole(text);
    const own = billOf(called.answer);
    const bill = before === null ? own : sumOf(before.bill, own);
    const paid: PaidAnswer = { text, bill, ...(isCutOff ? { higherLimit } : {}) };
    const field = paidAnswerField(context.operation, modelTry, isCutOff ? cutOff : wanted.part);
    await surgery.store.cases.costs.settle(reserved.reservation, {
      micro: Math.round(cost * MICRO),
      answer: { field, text: JSON.stringify(paid) },
    });
    crashPoint("W16:after_kept_before_verdict");
    if (!isCutOff) return { kind: "answered", paid };
    before = paid;
  }
}

/** Sends the question, and settles its cost when no usable answer comes back. */
async function call(
  { surgery, signal }: ModelAttempt,
  question: Question,
  reservation: Reservation,
): Promise<
  { readonly kind: "answered"; readonly answer: ModelAnswer } | Extract<Asked, { kind: "unanswered" }>
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
    const known = { micro: Math.round((paid ?? 0) * MICRO), answer: null };
    await costs.settle(reservation, paid === null ? unknown : known);
    return { kind: "unanswered", proposal };
  }
}

const MICRO = 1_000_000;

/** Jitter: cases of many groups wait for the same hour and must not all return at once. */
const SPREAD_MS = 1000;

/** Upper bounds of a call, in tokens. */
type Estimate = Parameters<typeof costOf>[1];

/** Tokens of roles and separators. */
const OVERHEAD_TOKENS = 100;

function estimate(
  surgery: Surgery,
  { instructions, input, jsonSchema, tokensMax, room }: Question,
): Estimate {
  const texts = [instructions, input, JSON.stringify(jsonSchema)];
  return {
    input_tokens: texts.reduce((sum, text) => sum + tokensAtMost(text), OVERHEAD_TOKENS),
    output_tokens: surgery.model.roomOf({
      tier: "surgeon",
      tokensMax,
      ...(room === undefined ? {} : { room }),
    }),
  };
}

/** Checks the run's token budget, as before any model call. */
export function isAffordable(context: RepairContext): boolean {
  try {
    checkBudget(context.message.envelope.billing, { cost: 0, tokens: 0 });
    return true;
  } catch (error) {
    if (error instanceof SutureError) return false;
    throw error;
  }
}

/** One tenant's share of an hour's budget; all of it with one tenant. */
async function shareOf({ store, limits }: Surgery): Promise<number> {
  return (await store.whole.owners.tenants()).length > 1 ? limits.tenantShare : 1;
}

/** Reserves a call's cost within the limits of case, group and hour; otherwise returns what to do instead. */
async function reserve(
  surgery: Surgery,
  context: RepairContext,
  usage: Estimate,
): Promise<{ readonly kind: "reserved"; readonly reservation: Reservation } | NoRepair> {
  const { limits, model, prices, store, logger } = surgery;
  const { case_id: caseId, fingerprint } = context.stored;
  const tenant = tenantOfUser(context.message.envelope.user_context.user_id);
  // The limits of all surgeons and groups are held by each shard for its share of the cases.
  const shards = store.whole.shards.length;
  const hourMax = (limits.surgeonCostPerHour / shards) * (await shareOf(surgery));
  const cost = costOf(model.modelFor("surgeon"), usage, prices);
  const reserved = await store.cases.costs.reserve({
    caseId,
    fingerprint,
    tenant,
    micro: Math.ceil(cost * MICRO),
    limits: {
      caseMicroMax: Math.round(limits.surgeonCostPerCase * MICRO),
      hourMicroMax: Math.ceil((limits.surgeonCostPerHour / shards) * MICRO),
      tenantMicroMax: Math.round(hourMax * MICRO),
      groupMicroMax: Math.ceil((limits.surgeonCostPerGroup / shards) * MICRO),
    },
  });
  switch (reserved.kind) {
    case "reserved":
      return reserved;
    case "case":
      return refuse("What may be spent on this case does not cover a model's answer.");
    case "group":
      return refuse("What may be spent on its group does not cover a model's answer.");
    case "hour": {
      // Waiting cannot help a call that exceeds every hour's budget.
      if (cost > hourMax) return refuse("What may be spent in an hour does not cover a model's answer.");
      const { retryAfterMs } = reserved;
      logger.warn(
        {
          case_id: caseId,
          fingerprint,
          tenant,
          limit_usd: limits.surgeonCostPerHour,
          retry_after_ms: retryAfterMs,
        },
        "what surgery may cost in this hour is spent: cases wait for the next",
      );
      const reason = "What may be spent in this hour is spent; it goes on in the next.";
      return { kind: "wait", delayMs: retryAfterMs + SPREAD_MS * random(), reason };
    }
    default:
      return reserved satisfies never;
  }
}

/** The longest wait before a case is tried again, in ms, where the endpoint names none. */
const WAIT_MS_MAX = 60_000;

/** Failures of an endpoint that end by themselves or by its operator. */
const OF_ENDPOINT: readonly string[] = ["timeout", "unavailable"];

/**
 * Maps a failed call to what the case does next, and to its cost in USD; null: it was sent, and perhaps charged.
 * @throws errors that are not the endpoint's.
 */
function readTrouble(
  error: unknown,
  { limits }: Surgery,
): { readonly proposal: NoRepair; readonly paid: number | null } {
  if (error instanceof ModelRefusalError) {
    const proposal = refuse("The model declined.", billOf(error.answer));
    return { proposal, paid: error.answer.cost };
  }
  const paid = mayBePaid(error) ? null : 0;
  if (
    error instanceof ModelAnswerTooLargeError ||
    error instanceof ModelInputRefusedError ||
    error instanceof ModelRequestRefusedError
  )
    return { proposal: refuse(error.message), paid };
  const wait = (delayMs: number, reason: string) => ({
    proposal: { kind: "wait", delayMs, reason } as const,
    paid,
  });
  if (error instanceof ModelCircuitOpenError || error instanceof ModelRateLimitedError)
    return wait(Math.max(limits.waitMsMin, error.retryAfterMs), error.message);
  // A wrong key, model name, address or schema is no fault of the message.
  if (error instanceof SutureError && OF_ENDPOINT.includes(error.failureClass))
    return wait(Math.min(WAIT_MS_MAX, limits.waitMsMin * (1 + random())), error.message);
  throw error;
}
