import type { Order } from "./outside/ports.ts";

/** Returns true when an order belongs to the customer of this address, whatever its case. */
export function isBuyer(order: Pick<Order, "customer_email">, customerEmail: string): boolean {
  return order.customer_email.trim().toLowerCase() === customerEmail.trim().toLowerCase();
}
