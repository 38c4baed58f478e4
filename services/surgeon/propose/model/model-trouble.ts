import { random } from "#shared/clock";
import {
  mayBePaid,
  ModelAnswerTooLargeError,
  ModelCircuitOpenError,
  ModelInputRefusedError,
  ModelMisconfiguredError,
  ModelRateLimitedError,
  ModelRefusalError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "#shared/model";
import type { Surgery } from "../../surgery.ts";
import { refuse } from "../procedure.ts";
import type { Proposal } from "../procedure.ts";
import { billOf } from "./paid-answer.ts";

/** The longest wait before a case is tried again, in ms, where the endpoint names none. */
const WAIT_MS_MAX = 60_000;

/**
 * What a failed call cost. `nothing`: it was refused or never arrived. `unknown`: it was sent, and the endpoint may
 * charge for an answer that was not received.
 */
export type Paid =
  | { readonly kind: "nothing" | "unknown" }
  | { readonly kind: "known"; readonly cost: number };

/** Maps a failed call to what the case does next and to its cost. @throws errors that are not the endpoint's. */
export function readTrouble(
  error: unknown,
  surgery: Surgery,
): { readonly proposal: Proposal; readonly paid: Paid } {
  if (error instanceof ModelRefusalError) {
    const proposal = refuse("The model declined.", billOf(error.answer));
    return { proposal, paid: { kind: "known", cost: error.answer.cost } };
  }
  if (error instanceof ModelAnswerTooLargeError)
    return { proposal: refuse("The model's answer was too long."), paid: { kind: "unknown" } };
  if (error instanceof ModelInputRefusedError)
    return { proposal: refuse(error.message), paid: { kind: "nothing" } };
  if (error instanceof ModelRequestRefusedError)
    return { proposal: refuse("The endpoint does not take this question."), paid: { kind: "nothing" } };
  // A wrong key, model name, address or schema is no fault of the message.
  if (error instanceof ModelMisconfiguredError) return later(error.message, surgery, { kind: "nothing" });
  if (error instanceof ModelCircuitOpenError || error instanceof ModelRateLimitedError) {
    const delayMs = Math.max(surgery.limits.waitMsMin, error.retryAfterMs);
    return { proposal: { kind: "wait", delayMs, reason: error.message }, paid: { kind: "nothing" } };
  }
  if (error instanceof ModelTimeoutError) return later(error.message, surgery, { kind: "unknown" });
  if (error instanceof ModelUnavailableError)
    return later(error.message, surgery, { kind: mayBePaid(error) ? "unknown" : "nothing" });
  throw error;
}

function later(
  reason: string,
  surgery: Surgery,
  paid: Paid,
): { readonly proposal: Proposal; readonly paid: Paid } {
  const delayMs = Math.min(WAIT_MS_MAX, surgery.limits.waitMsMin * (1 + random()));
  return { proposal: { kind: "wait", delayMs, reason }, paid };
}
