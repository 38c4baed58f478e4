import { z } from "zod";
import { tool, ToolProblemError } from "#shared/runtime/tools";
import type { Tool } from "#shared/runtime/tools";
import { orderId } from "../contract-fields.ts";
import { isBuyer } from "../is-buyer.ts";
import type { Outside } from "./ports.ts";

/**
 * Returns a tool with which a model looks up an order of one customer. An order of anybody else is answered as an order
 * that does not exist, whatever the model asks for; addresses and prices are not told.
 *
 * @param customerEmail - The sender of the e-mail, from its envelope and not from its words.
 */
export function lookUpOrder(orders: Outside["orders"], customerEmail: string): Tool {
  return tool("look_up_order", {
    description: "Looks up the state of an order of the customer who wrote. Changes nothing.",
    input: z.strictObject({ order_id: orderId.describe("The order's number, as the customer wrote it.") }),
    output: z.object({ order_id: z.string(), status: z.string(), bought_at: z.string() }),
    effect: "none",
    call: async ({ order_id }, { signal }) => {
      const order = await orders.find(order_id, signal);
      if (order === null || !isBuyer(order, customerEmail))
        throw new ToolProblemError("The customer has no such order.");
      const { status, bought_at } = order;
      return { order_id: order.order_id, status, bought_at };
    },
  });
}
