import { beforeEach, describe, expect, it } from "vitest";
import { timestamp } from "#shared/clock";
import { createTestSystem } from "#shared/testing";
import { openRehearsal } from "../../../../tests/support/rehearsal-model.ts";
import { createSupportTeam } from "../team.ts";
import { sandboxOutside } from "../testing/open-support.ts";
import { LoopbackShop } from "../testing/loopback-shop.ts";

let shop: LoopbackShop;
beforeEach(async () => {
  shop = await LoopbackShop.open();
});

const REFUNDS = "/sandbox/payments/refunds";

async function answer(body: string) {
  const bought_at = timestamp();
  for (const order_id of ["A-1001", "A-1002"])
    shop.addOrder({ order_id, total: 20, bought_at, customer_email: "kim@mail.example" });
  const team = createSupportTeam(sandboxOutside(() => shop.url));
  const system = createTestSystem(team);
  await system.start({ model: (await openRehearsal(team)).model });
  const run = await system.run({ from: "kim@mail.example", subject: "Hello", body });
  expect(run.status).toBe("completed");
  const { result } = await system.store.runs.get(run.run_id);
  return Object(result);
}

describe("an e-mail with several requests", () => {
  it("has each decided on its own and all of them in one answer", async () => {
    const result = await answer(
      "The cup from order A-1001 was broken, please refund the 20.00 EUR. " +
        "Also, please send me the invoice for order A-1002 again.",
    );
    expect(result).toMatchObject({
      status: "answered",
      refunded: { value: 20, currency: "EUR" },
      parts: [
        { category: "refunds", order_id: "A-1001", outcome: "refund_paid" },
        { category: "operations", kind: "invoice", order_id: "A-1002", outcome: "ticket_opened" },
      ],
    });
    expect(result.body).toContain("20.00 EUR");
    expect(shop.done(REFUNDS)).toHaveLength(1);
    expect(shop.done("/sandbox/tickets")).toHaveLength(1);
  });

  it("has an order paid once that two of them name", async () => {
    const result = await answer(
      "Please refund order A-1001, it was broken, 20.00 EUR. Also, please refund order A-1001 again, 20.00 EUR.",
    );
    const outcomes = result.parts.map(({ outcome }: { readonly outcome: string }) => outcome).toSorted();
    expect(outcomes).toEqual(["already_refunded", "refund_paid"]);
    expect(result.refunded).toEqual({ value: 20, currency: "EUR" });
    expect(shop.done(REFUNDS)).toHaveLength(1);
  });

  it("has two tickets where two of them need one", async () => {
    const result = await answer(
      "Please send me the invoice for order A-1001. Also, please change the delivery address of order A-1002.",
    );
    const tickets = shop.done("/sandbox/tickets").map(({ id }) => id);
    expect(tickets).toHaveLength(2);
    for (const id of tickets) expect(result.body).toContain(id);
  });
});
