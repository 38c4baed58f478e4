import type { FailureClass } from "#shared/errors";
import { RETRY_DEFAULTS } from "#shared/config";

/** Next place of a failed delivery. */
export type FailureRoute =
  /** Back to the agent's retry queue. `counted` deliveries use up the retry budget; postponed ones do not. */
  | { readonly kind: "retry"; readonly delayMs: number; readonly counted: boolean }
  /** To the ward (DLQ), for the surgeon. */
  | { readonly kind: "ward" }
  /** To another agent: the sender's fallbacks, then a capable one, then a person. */
  | { readonly kind: "reroute" }
  /** To a person at once. */
  | { readonly kind: "quarantine" }
  /** Ends the run. */
  | { readonly kind: "end"; readonly end: "failed" | "expired" | "cancelled" };

export interface FailedDelivery {
  readonly failureClass: FailureClass;
  /** Counted deliveries so far, including this one. Integer, at least 1. */
  readonly deliveries: number;
  /** Number in [0, 1). */
  readonly random: number;
  readonly nowMs: number;
  readonly expiresAtMs: number;
  /** Number of requeues so far, counted or not. Integer, at least 0. */
  readonly requeues: number;
  /** Retry-After of a 429 response or of an open circuit, in ms; null if there was none. */
  readonly retryAfterMs: number | null;
  /** Declared by the contract for well-formed payloads with wrong content. */
  readonly onContentError: "ward" | "quarantine";
  /** Declared by the team for limits. Absent: expired ends the run, the others wait for a person. */
  readonly onLimit?: Readonly<Partial<Record<FailureClass, "end" | "quarantine">>>;
}

/** Retry interval of a message whose version is newer than all workers, in ms. */
const NEWER_WORKER_DELAY_MS = 5000;

/** Returns the route of a failed delivery. Pure. @throws {RangeError} `deliveries` or `random` is out of range. */
export function routeFailure(
  failed: FailedDelivery,
  policy: RetryPolicy = RETRY_POLICY_DEFAULT,
): FailureRoute {
  if (!Number.isInteger(failed.deliveries) || failed.deliveries < 1) {
    throw new RangeError("deliveries must be an integer of at least 1");
  }
  if (!(failed.random >= 0 && failed.random < 1)) throw new RangeError("random must lie in [0, 1)");
  switch (failed.failureClass) {
    case "parse_error":
    case "validation_error":
      return { kind: "ward" };
    case "content_error":
      return { kind: failed.onContentError };
    case "timeout":
    case "transient":
    case "handler_error":
      return retryOrWard(failed, policy);
    case "rate_limited":
    case "unavailable":
      return postpone(failed, policy, (failed.retryAfterMs ?? 0) + pauseMs(failed, policy));
    case "unsupported_version":
      return postpone(failed, policy, NEWER_WORKER_DELAY_MS);
    case "rejected":
      return { kind: "reroute" };
    case "expired":
    case "hop_limit":
    case "loop_detected":
    case "budget_exceeded":
      return atLimit(failed);
    case "cancelled":
      return { kind: "end", end: "cancelled" };
    case "crash_loop":
    case "untrusted":
    case "unsafe":
      return { kind: "quarantine" };
    default:
      return failed.failureClass satisfies never;
  }
}

function retryOrWard(failed: FailedDelivery, policy: RetryPolicy): FailureRoute {
  if (failed.deliveries >= policy.deliveriesMax) return { kind: "ward" };
  return { kind: "retry", counted: true, delayMs: withinLife(failed, backoffMs(failed, policy)) };
}

/** Postpones a message without using its retry budget: at most `RetryPolicy.delayMsMax`, never past its expiry. */
function postpone(failed: FailedDelivery, policy: RetryPolicy, delayMs: number): FailureRoute {
  if (failed.nowMs >= failed.expiresAtMs) return atLimit({ ...failed, failureClass: "expired" });
  const bounded = Math.min(Math.max(delayMs, 0), policy.delayMsMax);
  return { kind: "retry", counted: false, delayMs: withinLife(failed, bounded) };
}

/** Returns a backoff with jitter that grows with each requeue. */
function pauseMs({ requeues, random }: FailedDelivery, policy: RetryPolicy): number {
  return backoffMs({ deliveries: requeues + 1, random }, policy);
}

/** Limits a delay to the message's expiry, when it is delivered and refused as expired. */
function withinLife(failed: FailedDelivery, delayMs: number): number {
  return Math.max(0, Math.min(delayMs, failed.expiresAtMs - failed.nowMs));
}

function atLimit(failed: FailedDelivery): FailureRoute {
  const declared =
    failed.onLimit?.[failed.failureClass] ?? (failed.failureClass === "expired" ? "end" : "quarantine");
  if (declared === "quarantine") return { kind: "quarantine" };
  return { kind: "end", end: failed.failureClass === "expired" ? "expired" : "failed" };
}

/** Number and delay of retries (exponential backoff with full jitter). */
export interface RetryPolicy {
  /** Deliveries in all (retry budget) before a retryable failure goes to the ward (DLQ). Default 3; Infinity: any. */
  readonly deliveriesMax: number;
  /** Upper limit of the first delay (backoff), in ms; doubled for each further delivery. Default 1,000. */
  readonly delayMs: number;
  /** Maximum delay in ms (`SUTURE_RETRY_DELAY_MS_MAX`), whatever a server's Retry-After asks for. Default 300,000. */
  readonly delayMsMax: number;
}

/** Defaults of the settings `SUTURE_DELIVERIES_MAX` and `SUTURE_RETRY_DELAY_MS…`. */
export const RETRY_POLICY_DEFAULT: RetryPolicy = RETRY_DEFAULTS;

/**
 * Returns the delay before the next delivery, in ms: random up to the doubled delay (full jitter), to spread retries.
 * @param failed.deliveries - So far, at least 1. @param failed.random - In [0, 1), passed in for tests.
 */
function backoffMs(
  failed: { readonly deliveries: number; readonly random: number },
  policy: RetryPolicy = RETRY_POLICY_DEFAULT,
): number {
  // 2 ** 30 exceeds any maximum; larger exponents would only lead to Infinity.
  const doublings = Math.min(Math.max(failed.deliveries, 1) - 1, 30);
  const ceiling = Math.min(policy.delayMs * 2 ** doublings, policy.delayMsMax);
  return Math.floor(failed.random * ceiling);
}
