import { beforeEach, describe, expect, test } from "vitest";
import { timestamp } from "#shared/clock";
import { openSupport, sandboxOutside } from "../testing/open-support.ts";
import type { SupportSystem } from "../testing/open-support.ts";
import { lookUpOrder } from "./agent.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
  system.shop.addOrder({ order_id: "A-20991", customer_email: "peter@holm.example", status: "shipped" });
  system.shop.addOrder({ order_id: "A-20992", customer_email: "somebody@else.example" });
});

const request = {
  kind: "delivery",
  order_id: "A-20991",
  customer_email: "peter@holm.example",
  summary: "Asks where the parcel is.",
  text: "Where is my parcel?",
};
const TICKETS = "/sandbox/tickets";
const send = (changes: object = {}) => system.run({ ...request, ...changes }, { to: "operations" });

describe("operations", () => {
  test("opens one ticket for one run and says its number", async () => {
    system.shop.breakNextEffect();
    const body = expect.stringContaining("tickets-1");
    expect(await send()).toMatchObject({ result: { outcome: "ticket_opened", body } });
    expect(system.shop.done(TICKETS)).toHaveLength(1);
  });

  test("hands a request for another customer's order to a person, and opens no ticket of its own", async () => {
    const { result } = await send({ order_id: "A-20992" });
    expect(result).toMatchObject({ status: "escalated", cause: "conflicting_facts" });
    expect(system.shop.done(TICKETS)).toMatchObject([{ body: { queue: "people" } }]);
  });

  test("hands a lost order to refunds in the older form, which refunds takes", async () => {
    system.shop.addOrder({
      order_id: "A-20991",
      customer_email: "peter@holm.example",
      status: "lost",
      bought_at: timestamp(),
      total: 64,
    });
    const text = "Where is my parcel? If it is lost I want my money back.";
    const { path, result } = await send({ text, wants_refund: true });
    expect(path).toEqual(["operations", "refunds", "reply"]);
    expect(result).toMatchObject({ outcome: "refund_paid", refunded: { value: 64, currency: "EUR" } });
  });

  test.each([
    ["not lost", { status: "shipped" }, { wants_refund: true }],
    ["lost, but no money is wanted", { status: "lost" }, { wants_refund: false }],
  ])("hands nothing to refunds where the order is %s", async (_case, order, wish) => {
    system.shop.addOrder({ order_id: "A-20991", customer_email: "peter@holm.example", ...order });
    expect((await send(wish)).path).toEqual(["operations", "reply"]);
  });

  test("opens a ticket for an order that the shop does not know, or for none", async () => {
    for (const order_id of ["A-99999", undefined])
      expect((await send({ order_id })).path).toEqual(["operations", "reply"]);
    expect(system.shop.done(TICKETS)).toHaveLength(2);
  });
});

async function ask(given: unknown) {
  const { orders } = sandboxOutside(() => system.shop.url);
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
