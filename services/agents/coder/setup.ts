import { openCheckout } from "./checkout/open-checkout.ts";
import { CheckoutGoneError } from "./errors.ts";
import { CHECKOUT_LIMITS_DEFAULT, TRIAL_LIMITS_DEFAULT } from "./limits.ts";
import type { CheckoutLimits, TrialLimits } from "./limits.ts";

/** The folders and limits that the coder team works with. */
export interface CoderSetup {
  /** Returns the folder of all checkouts. Called when needed, so that loading the team needs no configuration. */
  readonly checkoutsDir: () => string;
  /** Returns the folder of scratch copies, which is created when missing. */
  readonly scratchDir: () => string;
  /** Default: `CHECKOUT_LIMITS_DEFAULT`. */
  readonly checkoutLimits?: CheckoutLimits;
  /** Default: `TRIAL_LIMITS_DEFAULT`. */
  readonly trialLimits?: TrialLimits;
}

/** Returns the limits with their defaults. */
export function boundsOf(setup: CoderSetup): {
  readonly checkoutLimits: CheckoutLimits;
  readonly limits: TrialLimits;
} {
  const { checkoutLimits = CHECKOUT_LIMITS_DEFAULT, trialLimits = TRIAL_LIMITS_DEFAULT } = setup;
  return { checkoutLimits, limits: trialLimits };
}

/** Resolves the folder of a checkout. @throws {CheckoutGoneError} It was deleted since the task was planned. */
export async function findRoot(setup: CoderSetup, checkout: string): Promise<string> {
  const root = await openCheckout(setup.checkoutsDir(), checkout);
  if (root === null) throw new CheckoutGoneError(checkout);
  return root;
}
