import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";

/** What the shop is asked for. */
const Order = contract(
  "shop.order@1",
  z.strictObject({
    order_id: z.string().regex(/^A-\d{6}$/),
    customer: z.strictObject({ name: z.string(), email: z.string() }),
    lines: z
      .array(z.strictObject({ sku: z.string(), quantity: z.int().positive(), note: z.string() }))
      .min(1),
    total: z.number().meta({ "x-locked": true }),
    text: z.string(),
  }),
);

export const shop = team("shop", [
  agent("shop@1", { accepts: Order, handle: (order, ctx) => ctx.complete({ order_id: order.order_id }) }),
]);

const TEXT = "The parcel came late and the lamp inside was broken, so the customer asks for the money back.";

/** The n-th order, as an export in another language writes it: first aid knows none of its names. */
export function brokenOrder(n: number): Record<string, unknown> {
  return {
    bestellung: orderId(n),
    customer: { name: `Customer ${n}`, email: `customer-${n}@shop.example` },
    positionen: [
      { artikel: `LAMP-${n % 97}`, menge: String((n % 9) + 1), note: "seen by the carrier, not by the shop" },
      { artikel: `BULB-${n % 89}`, menge: "12", note: "" },
    ],
    total: 19.99 + n,
    text: TEXT.repeat(3),
  };
}

/** What a good model makes of it. */
export function mendOrder(broken: ReturnType<typeof brokenOrder>): Record<string, unknown> {
  const { bestellung, positionen, ...rest } = broken;
  // As `brokenOrder` writes them.
  const lines = (positionen as { artikel: string; menge: string; note: string }[]).map(
    ({ artikel, menge, note }) => ({ sku: artikel, quantity: Number(menge), note }),
  );
  return { order_id: bestellung, lines, ...rest };
}

function orderId(n: number): string {
  return `A-${String(n).padStart(6, "0")}`;
}
