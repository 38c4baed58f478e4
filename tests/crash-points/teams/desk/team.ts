import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

/** A worker of the new version, beside messages of the old one. */

const V1 = contract("crash.refund@1", z.strictObject({ order: z.string(), cents: z.int() }));
const V2 = contract("crash.refund@2", z.strictObject({ order_id: z.string(), amount: z.number() }), {
  upcast: (old) => {
    const { order, cents } = V1.schema.parse(old);
    return { order_id: order, amount: cents / 100 };
  },
});

export default team("desk", [
  agent("crash-desk@2", { accepts: V2, handle: (input, ctx) => ctx.complete({ ...input }) }),
]);
