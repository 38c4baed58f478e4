import { z } from "zod";
import type { Context, Transitions } from "#shared/runtime";
import type { OutsideAddress, OutsideSystem } from "#shared/config";
import { askOutside, OutsideRefusedError } from "#shared/http/outside";
import type { OutsideLimits } from "#shared/http/outside";

const order = z.object({
  order_id: z.string().min(1).max(100),
  /** In units of `currency`, with at most two decimals. */
  total: z.number().nonnegative(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** `refunded` and `unpaid` are not paid back; `lost`, `returned_to_sender` and `cancelled` will not arrive. */
  status: z.string().min(1).max(100),
  /** RFC 3339. */
  bought_at: z.string(),
  customer_email: z.string().min(3).max(254),
});
const refund = z.object({
  refund_id: z.string().min(1).max(200),
  amount: z.number().positive(),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
const ticket = z.object({ ticket_id: z.string().min(1).max(200) });
const lead = z.object({ lead_id: z.string().min(1).max(200) });

/** An order as the shop has it. `total` is in units of `currency`. */
export type Order = z.output<typeof order>;

/** A refund as the provider made it. `amount` is in units of `currency`. */
export type Refund = z.output<typeof refund>;

type Ticket = z.output<typeof ticket>;

type Lead = z.output<typeof lead>;

/** A refund to make, always to where the money came from. `amount` is in units of `currency`. */
interface RefundOrder {
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
interface LeadDraft {
  readonly customer_email: string;
  readonly company: string | null;
  readonly seats: number | null;
  readonly score: number;
  readonly summary: string;
}

/** An answer to a mail. `text` is plain text. */
export interface LetterDraft {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly in_reply_to: string;
  readonly references: readonly string[];
}

interface OrdersPort {
  /** Null: the shop has no such order. */
  find(orderId: string, signal: AbortSignal): Promise<Order | null>;
}

export interface MailPort {
  /** Sends a letter; its `Message-ID` is derived from the key, so that a second copy can be recognised. */
  readonly send: EffectPort<LetterDraft, { readonly message_id: string }>["make"];
}

/** All that the team acts on beyond its queues. */
export interface Outside {
  readonly orders: OrdersPort;
  readonly payments: EffectPort<RefundOrder, Refund>;
  readonly tickets: EffectPort<TicketDraft, Ticket>;
  readonly crm: EffectPort<LeadDraft, Lead>;
  /** Null: no answers are sent as mail; whoever gave the task sends them. */
  readonly mail: () => MailPort | null;
}

/** Returns true when an order belongs to the customer of this address, whatever its case. */
export function isBuyer(bought: Pick<Order, "customer_email">, customerEmail: string): boolean {
  return bought.customer_email.trim().toLowerCase() === customerEmail.trim().toLowerCase();
}

interface Effect<Draft, Made> {
  readonly key: string;
  readonly port: EffectPort<Draft, Made>;
  readonly draft: Draft;
}

/** Causes an effect once for its key. After a crash in between, the outside system is asked whether it happened. */
export function actOnce<Draft, Made, To extends Transitions>(
  ctx: Context<To>,
  { key, port, draft }: Effect<Draft, Made>,
): Promise<Made> {
  return ctx.once<Made>(key, (idempotencyKey, signal) => port.make(draft, idempotencyKey, signal), {
    reconcile: async (idempotencyKey, signal) => {
      const made = await port.find(idempotencyKey, signal);
      return made === null ? { done: false } : { done: true, value: made };
    },
  });
}

interface OutsideOptions extends OutsideLimits {
  /** Asked at each call, so that loading a team needs no configuration yet. `shop` has orders and payments. */
  readonly address: (system: OutsideSystem) => OutsideAddress;
  /** Default: no answer is sent as mail. */
  readonly mail?: () => MailPort | null;
}

/** Opens the systems of docs/guides/shop.openapi.json over HTTP: a real shop, help desk and CRM, or the sandbox. */
export function createOutside({ address, mail = () => null, ...limits }: OutsideOptions): Outside {
  return {
    orders: {
      find: (orderId, signal) => {
        const path = `orders/${encodeURIComponent(orderId)}`;
        return askOutside("orders", address("shop"), { ...limits, path, answer: order, signal });
      },
    },
    payments: effectsAt(["payments", () => address("shop"), limits], "payments/refunds", refund),
    tickets: effectsAt(["tickets", () => address("desk"), limits], "tickets", ticket),
    crm: effectsAt(["crm", () => address("crm"), limits], "crm/leads", lead),
    mail,
  };
}

interface EffectPort<Draft, Made> {
  /** Causes an effect. The same key causes it once, however often it is asked for. */
  readonly make: (draft: Draft, idempotencyKey: string, signal: AbortSignal) => Promise<Made>;
  /** Returns what was made under a key, or null: after a crash this says whether it happened. */
  readonly find: (idempotencyKey: string, signal: AbortSignal) => Promise<Made | null>;
}

/** Returns the effects of a path: made by POST, and listed by GET with their key under the path's last name. */
function effectsAt<Draft, Made extends z.ZodType>(
  [system, address, limits]: readonly [string, () => OutsideAddress, OutsideLimits],
  path: string,
  made: Made,
): EffectPort<Draft, z.output<Made>> {
  const name = path.split("/").at(-1) ?? path;
  const listed = z.object({ [name]: z.array(made) });
  return {
    make: async (body, idempotencyKey, signal) => {
      const request = { ...limits, path, body, idempotencyKey, answer: made, signal };
      const answer = await askOutside(system, address(), request);
      if (answer === null) throw new OutsideRefusedError(system, 404);
      return answer;
    },
    find: async (key, signal) => {
      const request = { ...limits, path, query: { key }, answer: listed, signal };
      return (await askOutside(system, address(), request))?.[name]?.[0] ?? null;
    },
  };
}
