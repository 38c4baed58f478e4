import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

const Order = contract("office.order@1", z.strictObject({ id: z.string(), seats: z.int().positive() }));

/** Three agents in a row. Their slots and those of runs, ward and registry lie on both masters of a cluster of two. */
export default team("office", [
  agent("inbox@1", {
    accepts: Order,
    outside: true,
    to: { desk: Order },
    handle: (order, ctx) => ctx.handoff("desk", order),
  }),
  agent("desk@1", {
    accepts: Order,
    to: { archive: Order },
    handle: async (order, ctx) => {
      await ctx.step("look", () => order.seats);
      await ctx.once(`book:${order.id}`, () => Promise.resolve("booked"));
      return ctx.handoff("archive", order);
    },
  }),
  agent("archive@1", { accepts: Order, handle: (order, ctx) => ctx.complete({ seats: order.seats }) }),
]);
