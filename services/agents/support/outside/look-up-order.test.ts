import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOutside, sandboxAddresses } from "./ports.ts";
import { LoopbackShop } from "../testing/loopback-shop.ts";
import { lookUpOrder } from "../operations/agent.ts";

let shop: LoopbackShop;
beforeEach(async () => {
  shop = await LoopbackShop.open();
  shop.addOrder({ order_id: "A-20991", customer_email: "peter@holm.example", status: "shipped" });
  shop.addOrder({ order_id: "A-20992", customer_email: "somebody@else.example" });
});
afterEach(() => shop.close());

async function ask(given: unknown) {
  const { orders } = createOutside({ addresses: sandboxAddresses(() => shop.url) });
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
