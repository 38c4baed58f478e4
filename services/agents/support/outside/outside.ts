import { z } from "zod";
import { OutsideSystem } from "./outside-system.ts";
import type { OutsideOptions } from "./outside-system.ts";

const order = z.object({
  order_id: z.string(),
  total: z.number().nonnegative(),
  currency: z.string(),
  status: z.string(),
  /** RFC 3339. */
  bought_at: z.string(),
  customer_email: z.string(),
});
const refund = z.object({ refund_id: z.string(), amount: z.number(), currency: z.string() });
const refunds = z.object({ refunds: z.array(refund) });
const ticket = z.object({ ticket_id: z.string() });
const lead = z.object({ lead_id: z.string() });

/** An order as the shop has it. `total` is in units of `currency`. */
export type Order = z.output<typeof order>;

/** A refund as the provider made it. `amount` is in units of `currency`. */
export type Refund = z.output<typeof refund>;

/** A refund to make, always to where the money came from. `amount` is in units of `currency`. */
export interface RefundOrder {
  readonly order_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
}

/** A piece of work for a person. `queue` names their inbox. */
export interface TicketDraft {
  readonly queue: "operations" | "product" | "people";
  readonly title: string;
  readonly body: string;
  readonly severity: "low" | "medium" | "high" | "critical";
}

/** Somebody who may buy. `score` is 0 to 100. */
export interface LeadDraft {
  readonly customer_email: string;
  readonly company: string | null;
  readonly seats: number | null;
  readonly score: number;
  readonly summary: string;
}

/** All that the team acts on beyond its queues. */
export type Outside = ReturnType<typeof createOutside>;

/** Opens shop, payments, tickets and CRM over HTTP. */
export function createOutside(options: OutsideOptions) {
  const shop = new OutsideSystem("orders", options);
  const provider = new OutsideSystem("payments", options);
  const desk = new OutsideSystem("tickets", options);
  const crm = new OutsideSystem("crm", options);
  return {
    orders: {
      /** Null: the shop has no such order. */
      find: (orderId: string, signal: AbortSignal) =>
        shop.find({ path: `orders/${encodeURIComponent(orderId)}`, answer: order, signal }),
    },
    payments: {
      refund: (body: RefundOrder, idempotencyKey: string, signal: AbortSignal) =>
        provider.act({ path: "payments/refunds", body, idempotencyKey, answer: refund, signal }),
      /** Returns the refund made under a key, or null: after a crash this tells whether it happened. */
      findRefund: async (key: string, signal: AbortSignal) => {
        const found = await provider.find({
          path: "payments/refunds",
          query: { key },
          answer: refunds,
          signal,
        });
        return found?.refunds[0] ?? null;
      },
    },
    tickets: {
      open: (body: TicketDraft, idempotencyKey: string, signal: AbortSignal) =>
        desk.act({ path: "tickets", body, idempotencyKey, answer: ticket, signal }),
    },
    crm: {
      createLead: (body: LeadDraft, idempotencyKey: string, signal: AbortSignal) =>
        crm.act({ path: "crm/leads", body, idempotencyKey, answer: lead, signal }),
    },
  } as const;
}
