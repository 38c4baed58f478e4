/** How often and how late a failed delivery is tried again. */
export interface RetryPolicy {
  /**
   * Deliveries in all, the first included, before a retryable failure goes to the ward. Default 3; Infinity: no
   * end.
   */
  readonly deliveriesMax: number;
  /** Upper edge of the first delay, in ms; doubled for each further delivery. Default 1,000. */
  readonly delayMs: number;
  /** No delay is longer, in ms, whatever a server asks for. Default 300,000. */
  readonly delayMsMax: number;
}

export const RETRY_POLICY_DEFAULT: RetryPolicy = { deliveriesMax: 3, delayMs: 1000, delayMsMax: 300_000 };

/**
 * The wait before the next delivery: drawn evenly between 0 and the doubled delay (full jitter), so that messages that
 * failed together do not come back together.
 *
 * @param failed.deliveries - Deliveries so far, this one included. Integer, at least 1.
 * @param failed.random - Number in [0, 1), passed in so that tests can fix it.
 */
export function backoffMs(
  failed: { readonly deliveries: number; readonly random: number },
  policy: RetryPolicy = RETRY_POLICY_DEFAULT,
): number {
  // 2 ** 30 is far above any cap: larger exponents would only lead to Infinity.
  const doublings = Math.min(Math.max(failed.deliveries, 1) - 1, 30);
  const ceiling = Math.min(policy.delayMs * 2 ** doublings, policy.delayMsMax);
  return Math.floor(failed.random * ceiling);
}
