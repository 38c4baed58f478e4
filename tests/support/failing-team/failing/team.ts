import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Order = contract(
  "failing.order@1",
  z.object({ how: z.enum(["type", "check", "step"]), customer: z.string(), lines: z.array(z.number()) }),
);
const Line = z.object({ lines: z.array(z.object({ total: z.number() })) });

interface Priced {
  readonly prices?: { readonly total: number };
}

function totalOf(order: Priced): number {
  // A bug: the compiler was overruled.
  return (order.prices as { readonly total: number }).total;
}

/** One agent whose code fails, in its own lines, in a check of the data, or in a step. */
export default team("failing", [
  agent("clerk@1", {
    accepts: Order,
    deliveriesMax: 2,
    handle: async (order, ctx) => {
      await ctx.step("look-up", () => 1);
      if (order.how === "check") Line.parse(order);
      if (order.how === "step")
        await ctx.step("price", () => {
          throw new Error(`no price for "${order.customer}" of ${order.customer}`);
        });
      return ctx.complete({ total: totalOf(order as Priced) });
    },
  }),
]);
