import { RETRY_DEFAULTS } from "#shared/config";

/** Number and delay of retries (exponential backoff with full jitter). */
export interface RetryPolicy {
  /**
   * Deliveries in all (retry budget), including the first, before a retryable failure goes to the ward (DLQ). Default
   * 3; Infinity: unlimited.
   */
  readonly deliveriesMax: number;
  /** Upper limit of the first delay (backoff), in ms; doubled for each further delivery. Default 1,000. */
  readonly delayMs: number;
  /**
   * Maximum delay in ms (`SUTURE_RETRY_DELAY_MS_MAX`), of retries and of postponed messages, even if a server's
   * Retry-After asks for more. Default 300,000.
   */
  readonly delayMsMax: number;
}

/** What the settings `SUTURE_DELIVERIES_MAX` and `SUTURE_RETRY_DELAY_MS…` are without a value. */
export const RETRY_POLICY_DEFAULT: RetryPolicy = RETRY_DEFAULTS;

/**
 * Returns the delay before the next delivery, in ms: random between 0 and the doubled delay (full jitter), so that
 * messages that failed together are not retried together.
 *
 * @param failed.deliveries - Deliveries so far, including this one. Integer, at least 1.
 * @param failed.random - Number in [0, 1), passed in so that tests can fix it.
 */
export function backoffMs(
  failed: { readonly deliveries: number; readonly random: number },
  policy: RetryPolicy = RETRY_POLICY_DEFAULT,
): number {
  // 2 ** 30 exceeds any maximum; larger exponents would only lead to Infinity.
  const doublings = Math.min(Math.max(failed.deliveries, 1) - 1, 30);
  const ceiling = Math.min(policy.delayMs * 2 ** doublings, policy.delayMsMax);
  return Math.floor(failed.random * ceiling);
}
