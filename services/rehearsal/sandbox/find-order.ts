import { now } from "#shared/clock";
import catalogue from "./catalogue.json" with { type: "json" };

export interface Order {
  readonly order_id: string;
  /** In units of the currency, with two decimals. */
  readonly total: number;
  readonly currency: string;
  readonly status: string;
  /** RFC 3339, UTC. */
  readonly bought_at: string;
  readonly customer_email: string;
}

const DAY_MS = 86_400_000;

/** The catalogue by id: customer, total, currency, status, days since it was bought. */
const ORDERS = new Map(Object.entries(catalogue));

/**
 * Returns an order of the catalogue (`catalogue.json`), dated relative to today; null for every other id. Upper and
 * lower case are the same, and a `#` in front is dropped.
 */
export function findOrder(orderId: string): Order | null {
  const id = orderId.trim().replace("#", "").toUpperCase();
  const row = ORDERS.get(id);
  if (row === undefined) return null;
  // A row of the file has these five, which a test checks for each.
  const [customer_email, total, currency, status, daysAgo] = row as [string, number, string, string, number];
  const today = Math.floor(now() / DAY_MS) * DAY_MS;
  const bought_at = new Date(today - daysAgo * DAY_MS).toISOString();
  return { order_id: id, total, currency, status, bought_at, customer_email };
}
