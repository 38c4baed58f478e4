import { openCheckout } from "./checkout/open-checkout.ts";
import { CheckoutGoneError } from "./errors.ts";
import { CHECKOUT_LIMITS_DEFAULT, TRIAL_LIMITS_DEFAULT } from "./limits.ts";
import type { CheckoutLimits, TrialLimits } from "./limits.ts";

/** Where the team works. */
export interface Workshop {
  /** Folder of all checkouts. Asked when needed, so that the team's graph needs no configuration. */
  readonly checkoutsDir: () => string;
  /** Folder of scratch copies; made when missing. */
  readonly scratchDir: () => string;
  /** Default: `CHECKOUT_LIMITS_DEFAULT`. */
  readonly checkoutLimits?: CheckoutLimits;
  /** Default: `TRIAL_LIMITS_DEFAULT`. */
  readonly trialLimits?: TrialLimits;
}

/** The bounds of a workshop, defaults filled in. */
export function boundsOf(workshop: Workshop): {
  readonly checkoutLimits: CheckoutLimits;
  readonly limits: TrialLimits;
} {
  const { checkoutLimits = CHECKOUT_LIMITS_DEFAULT, trialLimits = TRIAL_LIMITS_DEFAULT } = workshop;
  return { checkoutLimits, limits: trialLimits };
}

/** The real folder of a checkout that was there before. @throws {CheckoutGoneError} */
export async function findRoot(workshop: Workshop, checkout: string): Promise<string> {
  const root = await openCheckout(workshop.checkoutsDir(), checkout);
  if (root === null) throw new CheckoutGoneError(checkout);
  return root;
}
