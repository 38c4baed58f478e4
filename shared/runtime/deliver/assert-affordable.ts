import { checkBudget } from "#shared/envelope/limits";
import type { Delivery } from "./delivery.ts";

/** Refuses a call without budget left: a limit of 0 allows none. @param next - What it costs at least. Default: 0. */
export function assertAffordable(
  delivery: Pick<Delivery, "message" | "spent">,
  next = { cost: 0, tokens: 0 },
): void {
  const billing = delivery.message?.envelope.billing;
  if (billing === undefined) return;
  const { cost, tokens } = delivery.spent.known;
  checkBudget(
    {
      ...billing,
      cost_so_far: billing.cost_so_far + cost,
      tokens_consumed: billing.tokens_consumed + tokens,
    },
    next,
  );
}
