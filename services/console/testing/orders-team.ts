import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Order = contract(
  "con.order@1",
  z.strictObject({
    order_id: z.string().min(3),
    amount: z.number().max(1000).meta({ "x-locked": true }),
    note: z.string(),
    account: z.string().min(4).meta({ "x-locked": true, "x-two-person": true }).exactOptional(),
  }),
  {
    check: (order) =>
      order.note === "nonsense" ? [{ path: "/note", code: "nonsense", message: "means nothing" }] : [],
  },
);

const book = agent("con-book@1", {
  accepts: Order,
  description: "Books orders.",
  handle: async (order, ctx) => {
    if (order.note === "by wire") {
      const call = { call_id: "wire-1", tool: "wire", arguments: { amount: order.amount } };
      const { approved, note } = await ctx.approve(call);
      if (!approved) return ctx.complete({ refused: note });
    }
    return ctx.complete({ booked: order.order_id, amount: order.amount });
  },
});

const spare = agent("con-spare@1", {
  accepts: Order,
  description: "Books orders that the other does not.",
  handle: (order, ctx) => ctx.complete({ spare: order.order_id }),
});

/** Two agents that take the same contract. No model is asked. */
export const ordersTeam = team("con-orders", [book, spare]);
