import { z } from "zod";
import type { Context, Transitions } from "#shared/runtime";
import { sandboxAddress } from "#shared/config";
import type { OutsideAddress } from "#shared/config";
import { now } from "#shared/clock";
import { readJsonAnswer } from "#shared/envelope/json";
import {
  OutsideRateLimitedError,
  OutsideRefusedError,
  OutsideTimeoutError,
  OutsideUnavailableError,
} from "../errors.ts";

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

/** Where the outside systems are. Asked at each call, so that loading a team needs no configuration yet. */
interface Addresses {
  /** Orders and payments. */
  readonly shop: () => OutsideAddress;
  readonly desk: () => OutsideAddress;
  readonly crm: () => OutsideAddress;
}

interface OutsideOptions extends OutsideLimits {
  readonly addresses: Addresses;
  /** Default: no answer is sent as mail. */
  readonly mail?: () => MailPort | null;
}

/** The addresses of the sandbox: all systems at one server, which asks for no token. */
export function sandboxAddresses(baseUrl: () => string): Addresses {
  const address = (): OutsideAddress => sandboxAddress(baseUrl());
  return { shop: address, desk: address, crm: address };
}

/** Opens the systems of docs/guides/shop.openapi.json over HTTP: a real shop, help desk and CRM, or the sandbox. */
export function createOutside({ addresses, mail = () => null, ...limits }: OutsideOptions): Outside {
  const shop = new HttpSystem("orders", addresses.shop, limits);
  return {
    orders: {
      find: (orderId, signal) =>
        shop.find({ path: `orders/${encodeURIComponent(orderId)}`, answer: order, signal }),
    },
    payments: new HttpSystem("payments", addresses.shop, limits).effects("payments/refunds", refund),
    tickets: new HttpSystem("tickets", addresses.desk, limits).effects("tickets", ticket),
    crm: new HttpSystem("crm", addresses.crm, limits).effects("crm/leads", lead),
    mail,
  };
}

/** Effects of one kind, each under an idempotency key. */
interface EffectPort<Draft, Made> {
  /** Causes an effect. The same key causes it once, however often it is asked for. */
  readonly make: (draft: Draft, idempotencyKey: string, signal: AbortSignal) => Promise<Made>;
  /** Returns what was made under a key, or null: after a crash this says whether it happened. */
  readonly find: (idempotencyKey: string, signal: AbortSignal) => Promise<Made | null>;
}

/** How long and how much an outside system may answer. */
interface OutsideLimits {
  /** Milliseconds for the whole answer. Default 10,000. */
  readonly timeoutMs?: number;
  /** Bytes of an answer's body. Default 262,144. */
  readonly answerBytesMax?: number;
}

interface Ask<Schema extends z.ZodType> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Posted under `idempotencyKey`. Absent: nothing is posted. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly answer: Schema;
  readonly signal: AbortSignal;
}

const OWN = [OutsideRateLimitedError, OutsideRefusedError, OutsideUnavailableError];
const RETRY_AFTER_MS_DEFAULT = 1_000;
const RETRY_AFTER_MS_MAX = 60_000;

/**
 * One outside system over HTTP, with checked answers. Methods throw an `Outside…Error` or the reason of an aborted
 * signal; no text of an answer gets into a message.
 */
class HttpSystem {
  private readonly name: string;
  private readonly address: () => OutsideAddress;
  private readonly timeoutMs: number;
  private readonly bytesMax: number;

  constructor(name: string, address: () => OutsideAddress, limits: OutsideLimits) {
    this.name = name;
    this.address = address;
    this.timeoutMs = limits.timeoutMs ?? 10_000;
    this.bytesMax = limits.answerBytesMax ?? 262_144;
  }

  /** Null: 404. */
  async find<Schema extends z.ZodType>(ask: Ask<Schema>): Promise<z.output<Schema> | null> {
    const address = this.address();
    const timeout = AbortSignal.timeout(this.timeoutMs);
    try {
      const response = await send(address, ask, AbortSignal.any([ask.signal, timeout]));
      if (response.ok) return ask.answer.parse(await readJsonAnswer(response, this.bytesMax));
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw refusalOf(this.name, response);
    } catch (cause) {
      if (ask.signal.aborted) throw ask.signal.reason;
      if (timeout.aborted) throw new OutsideTimeoutError(this.name, this.timeoutMs);
      if (OWN.some((kind) => cause instanceof kind)) throw cause;
      // What a schema says of an answer may hold the answer's words.
      throw new OutsideUnavailableError(this.name, cause instanceof z.ZodError ? {} : { cause });
    }
  }

  /** Returns the effects of a path: made by POST, and listed by GET with their key under the path's last name. */
  effects<Draft, Made extends z.ZodType>(path: string, made: Made): EffectPort<Draft, z.output<Made>> {
    const name = path.split("/").at(-1) ?? path;
    return {
      make: async (body, idempotencyKey, signal) => {
        const answer = await this.find({ path, body, idempotencyKey, answer: made, signal });
        if (answer === null) throw new OutsideRefusedError(this.name, 404);
        return answer;
      },
      find: async (key, signal) => {
        const answer = z.object({ [name]: z.array(made) });
        const found = await this.find({ path, query: { key }, answer, signal });
        return found?.[name]?.[0] ?? null;
      },
    };
  }
}

function send(
  { url: base, token }: OutsideAddress,
  { path, query = {}, body, idempotencyKey = "" }: Ask<z.ZodType>,
  signal: AbortSignal,
): Promise<Response> {
  const url = new URL(`${base}/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const authorization = token === null ? {} : { authorization: `Bearer ${token.reveal()}` };
  const headers = { accept: "application/json", ...authorization };
  const asked = { redirect: "error", signal } as const;
  if (body === undefined) return fetch(url, { ...asked, headers });
  const posted = { ...headers, "content-type": "application/json", "idempotency-key": idempotencyKey };
  return fetch(url, { ...asked, method: "POST", headers: posted, body: JSON.stringify(body) });
}

function refusalOf(system: string, response: Response): Error {
  if (response.status === 429) return new OutsideRateLimitedError(system, retryAfterMs(response));
  // 408 and 425 ask for another try, as server errors do.
  if (response.status >= 500 || [408, 425].includes(response.status))
    return new OutsideUnavailableError(system, { status: response.status });
  return new OutsideRefusedError(system, response.status);
}

/** `Retry-After` in seconds or as an HTTP date, kept within bounds. */
function retryAfterMs(response: Response): number {
  const header = response.headers.get("retry-after") ?? "";
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now();
  if (!Number.isFinite(waitMs)) return RETRY_AFTER_MS_DEFAULT;
  return Math.min(Math.max(waitMs, 1), RETRY_AFTER_MS_MAX);
}
