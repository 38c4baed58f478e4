import { operation, READERS } from "../operation.ts";
import { requireTotals } from "../tenancy/may-see.ts";
import { measure, statsSchema } from "../runs/measure.ts";

export const showStats = operation({
  id: "showStats",
  summary: "Show the conservation equation and where everything waits",
  scopes: READERS,
  status: 200,
  answers: statsSchema,
  async handle({ gateway, caller }) {
    requireTotals(caller);
    return measure(gateway);
  },
});
