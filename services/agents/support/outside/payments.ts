import { z } from "zod";
import { OutsideSystem } from "./outside-system.ts";
import type { OutsideOptions } from "./outside-system.ts";

const Refund = z.object({ refund_id: z.string(), amount: z.number(), currency: z.string() });
const Refunds = z.object({ refunds: z.array(Refund) });

/** A refund as the provider made it. `amount` is in units of `currency`. */
export type Refund = z.output<typeof Refund>;

/** What is paid back, always to where the money came from. `amount` is in units of `currency`. */
export interface RefundOrder {
  readonly order_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
}

export interface Payments {
  refund(order: RefundOrder, idempotencyKey: string, signal: AbortSignal): Promise<Refund>;
  /** The refund made under a key, or null: after a crash this tells whether it happened. */
  findRefund(idempotencyKey: string, signal: AbortSignal): Promise<Refund | null>;
}

export function createPayments(options: OutsideOptions): Payments {
  const provider = new OutsideSystem("payments", options);
  return {
    refund: (order, idempotencyKey, signal) =>
      provider.act({ path: "payments/refunds", body: order, idempotencyKey, answer: Refund, signal }),
    findRefund: async (idempotencyKey, signal) => {
      const query = { key: idempotencyKey };
      const found = await provider.find({ path: "payments/refunds", query, answer: Refunds, signal });
      return found?.refunds[0] ?? null;
    },
  };
}
