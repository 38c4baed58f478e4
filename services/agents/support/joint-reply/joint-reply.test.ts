import { beforeEach, describe, expect, it } from "vitest";
import { timestamp } from "#shared/clock";
import { openSupport } from "../testing/open-support.ts";
import type { SupportSystem } from "../testing/open-support.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
});

const REFUNDS = "/sandbox/payments/refunds";

async function answer(body: string) {
  const bought_at = timestamp();
  for (const order_id of ["A-1001", "A-1002"])
    system.shop.addOrder({ order_id, total: 20, bought_at, customer_email: "kim@mail.example" });
  const { status, result } = await system.run({ from: "kim@mail.example", subject: "Hello", body });
  expect(status).toBe("completed");
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
    expect(system.shop.done(REFUNDS)).toHaveLength(1);
    expect(system.shop.done("/sandbox/tickets")).toHaveLength(1);
  });

  it("has an order paid once that two of them name", async () => {
    const result = await answer(
      "Please refund order A-1001, it was broken, 20.00 EUR. Also, please refund order A-1001 again, 20.00 EUR.",
    );
    const outcomes = result.parts.map(({ outcome }: { readonly outcome: string }) => outcome).toSorted();
    expect(outcomes).toEqual(["already_refunded", "refund_paid"]);
    expect(result.refunded).toEqual({ value: 20, currency: "EUR" });
    expect(system.shop.done(REFUNDS)).toHaveLength(1);
  });

  it("has two tickets where two of them need one", async () => {
    const result = await answer(
      "Please send me the invoice for order A-1001. Also, please change the delivery address of order A-1002.",
    );
    const tickets = system.shop.done("/sandbox/tickets").map(({ id }) => id);
    expect(tickets).toHaveLength(2);
    for (const id of tickets) expect(result.body).toContain(id);
  });
});
