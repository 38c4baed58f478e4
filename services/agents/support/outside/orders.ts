import { z } from "zod";
import { OutsideSystem } from "./outside-system.ts";
import type { OutsideOptions } from "./outside-system.ts";

const Order = z.object({
  order_id: z.string(),
  total: z.number().nonnegative(),
  currency: z.string(),
  status: z.string(),
  /** RFC 3339. */
  bought_at: z.string(),
  customer_email: z.string(),
});

/** An order as the shop has it. `total` is in units of `currency`. */
export type Order = z.output<typeof Order>;

export interface Orders {
  /** Null: the shop has no such order. */
  find(order_id: string, signal: AbortSignal): Promise<Order | null>;
}

export function createOrders(options: OutsideOptions): Orders {
  const shop = new OutsideSystem("orders", options);
  return {
    find: (order_id, signal) =>
      shop.find({ path: `orders/${encodeURIComponent(order_id)}`, answer: Order, signal }),
  };
}
