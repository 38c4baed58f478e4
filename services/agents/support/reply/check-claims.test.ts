import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../contract-fields.ts";
import { REPLY_OUTCOMES } from "../contracts.ts";
import { draftReply } from "../rehearsal/reply.ts";
import { listUnfounded } from "./check-claims.ts";
import claims from "./claims.json" with { type: "json" };

const nothingDone = { outcomes: ["ticket_opened"], told: ["tickets-7"] } as const;

describe("an answer", () => {
  test.each([
    "Your refund has been approved.",
    "We have refunded the order.",
    "No worries, we will refund you within five days.",
    "You will receive your money back on Friday.",
    "As agreed, I confirm your refund.",
    "Wir haben Ihnen den Betrag erstattet.",
    "Die Rückerstattung ist bereits veranlasst.",
    "Nous vous avons remboursé.",
    "Votre remboursement a été effectué.",
    "Le hemos devuelto el dinero.",
    "Su reembolso ha sido aprobado.",
    "Il rimborso è stato approvato.",
    "L'abbiamo rimborsata.",
    "Zwróciliśmy pieniądze.",
    "O seu reembolso foi aprovado.",
    "Wij hebben u terugbetaald.",
    "返金いたしました。",
  ])("may not say that money went back where none did: %s", (text) => {
    expect(listUnfounded(text, nothingDone)).toContain("a refund that was not made");
  });

  test.each([
    "We cannot refund this order.",
    "Your refund has not been approved.",
    "Please send us the number of the order that you want a refund for.",
    "Wir können diese Bestellung nicht erstatten.",
    "Nous ne pouvons pas rembourser cette commande.",
    "No podemos devolver este pedido.",
    "Non possiamo rimborsare questo ordine.",
    "Wij kunnen deze bestelling niet terugbetalen.",
    "Colleagues take care of tickets-7.",
  ])("may say that none did: %s", (text) => {
    expect(listUnfounded(text, nothingDone)).toEqual([]);
  });

  test.each([
    ["We have shipped a replacement.", "a replacement that was not made"],
    ["Your order has been cancelled.", "a cancellation that was not made"],
    ["We are sending you a voucher.", "a compensation that was not made"],
    ["We paid 400 EUR.", "a sum that was not paid"],
    ["The amount is 400.00.", "a sum that was not paid"],
  ])("may not say what was not done: %s", (text, expected) => {
    expect(listUnfounded(text, nothingDone)).toContain(expected);
  });

  test("may repeat the sum that was paid, and no other", () => {
    const done = { outcomes: ["refund_paid"], told: ["42.50 EUR"] } as const;
    expect(listUnfounded("We have refunded 42.50 EUR (42,50 €).", done)).toEqual([]);
    expect(listUnfounded("We have refunded 425.00 EUR.", done)).toEqual(["a sum that was not paid"]);
  });

  test.each(LANGUAGES)("that the shop wrote itself passes, in %s", (language) => {
    for (const outcome of REPLY_OUTCOMES) {
      const facts = [{ label: "order", value: "A-1" }];
      const input = { outcome, language, summary: "", facts, steps: [] };
      // The stand-in takes what the agent gives it, which is this.
      const { body } = draftReply(input as never, () => 0) as { body: string };
      expect(listUnfounded(body, { outcomes: [outcome], told: ["A-1"] }), outcome).toEqual([]);
    }
  });

  test("is held against claims of these four kinds", () => {
    expect(Object.keys(claims.patterns)).toEqual(["refund", "replacement", "cancellation", "compensation"]);
  });
});
