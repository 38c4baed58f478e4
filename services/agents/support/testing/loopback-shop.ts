import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenLocally } from "#shared/testing";
import type { Order } from "../outside/ports.ts";

interface Effect {
  readonly id: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Behaviour of the shop in place of an answer; each is used for one request. */
export type Trouble =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly hang: true }
  | { readonly garbage: string };

const ID_FIELDS: Readonly<Record<string, string>> = {
  "/sandbox/payments/refunds": "refund_id",
  "/sandbox/tickets": "ticket_id",
  "/sandbox/crm/leads": "lead_id",
};

/** The outside systems as a real HTTP server on loopback, for tests: orders are set, effects can be counted. */
export class LoopbackShop {
  readonly orders = new Map<string, Order>();
  readonly troubles: Trouble[] = [];
  /** Requests for an effect that were carried out, repeats under one key included. */
  acts = 0;
  /** Waited for before an effect is carried out, and before it is answered. Default: nothing. */
  at: (point: "asked" | "done") => Promise<unknown> = () => Promise.resolve();
  private breaksNextEffect = false;
  private readonly effects = new Map<string, Effect[]>();
  url = "";

  /** Listens until the test has finished. */
  static async open(): Promise<LoopbackShop> {
    const shop = new LoopbackShop();
    const server = createServer((request, response) => void shop.answer(request, response));
    shop.url = `http://127.0.0.1:${await listenLocally(server)}`;
    return shop;
  }

  /** Returns the effects under a path, e.g. `/sandbox/tickets`. */
  done(path: string): readonly Effect[] {
    return this.effects.get(path) ?? [];
  }

  addOrder(order: Partial<Order> & { readonly order_id: string }): void {
    this.orders.set(order.order_id, {
      total: 100,
      currency: "EUR",
      status: "delivered",
      bought_at: "2026-01-01T00:00:00.000Z",
      customer_email: "buyer@example.com",
      ...order,
    });
  }

  /** The next effect happens, but its answer is lost. */
  breakNextEffect(): void {
    this.breaksNextEffect = true;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const sent = await text(request);
    const trouble = this.troubles.shift();
    if (trouble !== undefined && "hang" in trouble) return;
    if (trouble !== undefined && "garbage" in trouble) {
      response.end(trouble.garbage);
      return;
    }
    if (trouble !== undefined) {
      response.writeHead(trouble.status, trouble.headers).end("Error: secret=hunter2");
      return;
    }
    if (request.method === "GET") {
      this.find(url, response);
      return;
    }
    try {
      await this.at("asked");
    } catch {
      response.destroy();
      return;
    }
    const effect = this.act(url.pathname, String(request.headers["idempotency-key"]), sent);
    await this.at("done");
    if (this.breaksNextEffect) response.destroy();
    else send(response, 201, effect);
    this.breaksNextEffect = false;
  }

  private find(url: URL, response: ServerResponse): void {
    if (url.pathname === "/sandbox/payments/refunds") {
      const key = url.searchParams.get("key");
      const refunds = this.done(url.pathname).filter((effect) => effect.key === key);
      send(response, 200, { refunds: refunds.map((effect) => ({ ...effect.body, refund_id: effect.id })) });
      return;
    }
    const order = this.orders.get(decodeURIComponent(url.pathname.replace("/sandbox/orders/", "")));
    send(response, order === undefined ? 404 : 200, order ?? { title: "no such order" });
  }

  private act(path: string, key: string, sent: string): object {
    this.acts += 1;
    const effects = this.effects.get(path) ?? [];
    let effect = effects.find((known) => known.key === key);
    if (effect === undefined) {
      effect = { id: `${path.split("/").at(-1)}-${effects.length + 1}`, key, body: JSON.parse(sent) };
      this.effects.set(path, [...effects, effect]);
    }
    return { ...effect.body, [ID_FIELDS[path] ?? "id"]: effect.id };
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
