import type { Handler } from "../operation.ts";
import { requireTotals } from "../tenancy/may-see.ts";
import { measure } from "../runs/measure.ts";

export const showStats: Handler<"showStats"> = async ({ gateway, caller }) => {
  requireTotals(caller);
  return measure(gateway);
};
