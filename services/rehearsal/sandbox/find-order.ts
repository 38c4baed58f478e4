import { now } from "#shared/clock";
import { pick, seededNumber, seededRandom } from "../seeded.ts";

export interface Order {
  readonly order_id: string;
  /** In units of the currency, with two decimals. */
  readonly total: number;
  readonly currency: string;
  readonly status: string;
  /** RFC 3339, UTC. */
  readonly bought_at: string;
  readonly customer_email: string;
  readonly items: readonly { readonly name: string; readonly price: number }[];
}

const ID = /^#?([A-Z]{0,5})-?(\d{3,12})$/i;
const DAY_MS = 86_400_000;
const CURRENCIES = ["EUR", "EUR", "EUR", "USD", "GBP", "PLN"];
const STATUSES = ["delivered", "delivered", "delivered", "shipped", "processing", "cancelled"];
const ITEMS = [
  "desk lamp",
  "headphones",
  "coffee grinder",
  "backpack",
  "keyboard",
  "water bottle",
  "rain jacket",
];
const NAMES = ["a.keller", "m.rossi", "j.nowak", "s.martin", "l.garcia", "p.silva", "d.jones"];

/**
 * The catalogue: derives an order from its id (letters-digits, or digits), dated relative to today. Ids ending in
 * 404, and ids of another form, are unknown.
 */
export function findOrder(orderId: string): Order | null {
  const match = ID.exec(orderId.trim());
  const digits = match?.[2] ?? "";
  if (match === null || digits.endsWith("404")) return null;
  const id = orderId.trim().replace("#", "").toUpperCase();
  const random = seededRandom("order", id);
  const items = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    name: pick(ITEMS, random) ?? "desk lamp",
    price: Math.round(500 + random() * 15_000) / 100,
  }));
  const daysAgo = Math.floor(seededNumber("age", id) ** 2 * 90);
  const today = Math.floor(now() / DAY_MS) * DAY_MS;
  return {
    order_id: id,
    total: Math.round(items.reduce((sum, item) => sum + item.price * 100, 0)) / 100,
    currency: pick(CURRENCIES, random) ?? "EUR",
    status: pick(STATUSES, random) ?? "delivered",
    bought_at: new Date(today - daysAgo * DAY_MS).toISOString(),
    customer_email: `${pick(NAMES, random) ?? "customer"}@example.com`,
    items,
  };
}
