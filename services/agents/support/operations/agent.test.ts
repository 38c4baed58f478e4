import { beforeEach, describe, expect, test } from "vitest";
import { handoffOf, openSupport, sandboxOutside } from "../testing/open-support.ts";
import type { SupportSystem } from "../testing/open-support.ts";
import { LoopbackShop } from "../testing/loopback-shop.ts";
import { lookUpOrder } from "./agent.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
});

const request = {
  kind: "delivery",
  order_id: "A-20991",
  customer_email: "peter@holm.example",
  summary: "Asks where the parcel is.",
  text: "Where is my parcel?",
};
const TICKETS = "/sandbox/tickets";

describe("operations", () => {
  test("opens one ticket for one run and says its number", async () => {
    system.shop.addOrder({ order_id: "A-20991", customer_email: "peter@holm.example", status: "shipped" });
    const run_id = "0199aaaa-0000-7000-8000-000000000006";
    const { to, payload } = handoffOf(await system.runtime.deliver("operations", request, { run_id }));
    await system.runtime.deliver("operations", request, { run_id });
    expect(to).toBe("reply");
    expect(payload).toMatchObject({ outcome: "ticket_opened", facts: [{ value: "tickets-1" }] });
    expect(system.shop.done(TICKETS)).toHaveLength(1);
  });

  test("hands a request for another customer's order to a person, and opens no ticket of its own", async () => {
    system.shop.addOrder({ order_id: "A-20991", customer_email: "somebody@else.example" });
    const { to, payload } = handoffOf(await system.runtime.deliver("operations", request));
    expect(to).toBe("escalation");
    expect(payload).toMatchObject({ cause: "conflicting_facts" });
    expect(system.shop.done(TICKETS)).toHaveLength(0);
  });

  test("hands a lost order to refunds in the older form, which refunds takes", async () => {
    system.shop.addOrder({
      order_id: "A-20991",
      customer_email: "peter@holm.example",
      status: "lost",
      total: 64,
    });
    const text = "Where is my parcel? If it is lost I want my money back.";
    const lost = { ...request, text, wants_refund: true };
    const { to, payload } = handoffOf(await system.runtime.deliver("operations", lost));
    expect(to).toBe("refunds");
    expect(payload).toMatchObject({ order: "A-20991", amount: 6400, currency: "EUR" });
    const options = { contract: "refunds.request@1", atMs: Date.parse("2026-01-05T00:00:00.000Z") };
    expect(handoffOf(await system.runtime.deliver("refunds", payload, options)).payload).toMatchObject({
      outcome: "refund_paid",
    });
  });

  test.each([
    ["not lost", { status: "shipped" }, { wants_refund: true }],
    ["lost, but no money is wanted", { status: "lost" }, { wants_refund: false }],
  ])("hands nothing to refunds where the order is %s", async (_case, order, wish) => {
    system.shop.addOrder({ order_id: "A-20991", customer_email: "peter@holm.example", ...order });
    expect(handoffOf(await system.runtime.deliver("operations", { ...request, ...wish })).to).toBe("reply");
  });

  test("opens a ticket for an order that the shop does not know, or for none", async () => {
    expect(handoffOf(await system.runtime.deliver("operations", request)).to).toBe("reply");
    const { order_id: _order, ...without } = request;
    expect(handoffOf(await system.runtime.deliver("operations", without)).to).toBe("reply");
    expect(system.shop.done(TICKETS)).toHaveLength(2);
  });
});

let shop: LoopbackShop;
beforeEach(async () => {
  shop = await LoopbackShop.open();
  shop.addOrder({ order_id: "A-20991", customer_email: "peter@holm.example", status: "shipped" });
  shop.addOrder({ order_id: "A-20992", customer_email: "somebody@else.example" });
});

async function ask(given: unknown) {
  const { orders } = sandboxOutside(() => shop.url);
  const prepared = lookUpOrder(orders, "peter@holm.example").prepare(given);
  if ("issues" in prepared) throw new Error("bad arguments");
  return prepared.run({ signal: AbortSignal.timeout(30_000), idempotencyKey: "test" });
}

describe("a model that looks up an order", () => {
  test("reads the state of the sender's own, and neither price nor address", async () => {
    const bought_at = "2026-01-01T00:00:00.000Z";
    expect(await ask({ order_id: "A-20991" })).toEqual({
      ok: true,
      value: { order_id: "A-20991", status: "shipped", bought_at },
    });
  });

  test("cannot tell another customer's order from none", async () => {
    const words = "The customer has no such order.";
    await expect(ask({ order_id: "A-20992" })).rejects.toThrow(words);
    await expect(ask({ order_id: "A-99999" })).rejects.toThrow(words);
  });

  test.each([
    [{ order_id: "A-20992", customer_email: "somebody@else.example" }],
    [{ order_id: "../orders/A-20992" }],
    [{}],
  ])("cannot name another sender or another path: %j", async (given) => {
    await expect(ask(given)).rejects.toThrow("bad arguments");
  });
});
