import { expect, test } from "vitest";
import { timestamp } from "#shared/clock";
import { openSupport } from "../testing/open-support.ts";

/** E-mails that nobody wrote rules for, with the answers of a good model, and twice of a bad one. */
const EUR = (value: number) => ({ value, currency: "EUR" });

interface Row {
  readonly body: string;
  /** The second reader's answer, beside `quote`. */
  readonly claim: object;
  readonly quote: string;
  /** The router's sum. */
  readonly amount?: object;
  readonly status?: string;
}

async function settle({ body, claim, quote, amount, status = "delivered" }: Row) {
  const { runtime, shop } = await openSupport();
  const order_id = "A-1001";
  shop.addOrder({ order_id, total: 35, bought_at: timestamp(), customer_email: "kim@mail.example", status });
  const request = { route: "refunds", language: "other", summary: "Asks for money.", quote, order_id };
  const reason = status === "lost" ? "not_received" : "damaged";
  runtime.answers.set("triage/requests", { requests: [{ ...request, reason, ...(amount && { amount }) }] });
  runtime.answers.set("refunds/claim", { quote, amount: null, payout_elsewhere: false, ...claim });
  const { result } = await runtime.run({ from: "kim@mail.example", subject: "A-1001", body });
  const paid = shop.done("/sandbox/payments/refunds").map((refund) => refund.body["amount"]);
  await shop.close();
  return { result, paid };
}

const back = { wants: "money_back" };

test.each<Row & { paid: number }>([
  {
    body: "Jag vill ha pengarna tillbaka, 35 kr räcker inte: 35,00 EUR.",
    quote: "Jag vill ha pengarna tillbaka",
    claim: back,
    paid: 35,
  },
  {
    body: "STILL NO REFUND!!! Give me my 35 euros.",
    quote: "Give me my 35 euros.",
    claim: { ...back, amount: EUR(35) },
    amount: EUR(35),
    paid: 35,
  },
  {
    body: "返品しました。35ユーロを返してください。",
    quote: "35ユーロを返してください。",
    claim: { ...back, amount: EUR(35) },
    amount: EUR(35),
    paid: 35,
  },
  {
    body: "Me devuelvan la mitad: 17,50 €. Sin la caja no sirve.",
    quote: "Me devuelvan la mitad: 17,50 €.",
    claim: { ...back, amount: EUR(17.5) },
    amount: EUR(17.5),
    paid: 17.5,
  },
  {
    body: "You promised. If you could please return the 35.00!",
    quote: "If you could please return the 35.00!",
    claim: { ...back, amount: EUR(35) },
    paid: 35,
  },
  {
    body: "Jos paketti on kadonnut, haluan rahani takaisin.",
    quote: "Jos paketti on kadonnut, haluan rahani takaisin.",
    claim: { wants: "if_lost" },
    status: "lost",
    paid: 35,
  },
])("pays what is asked for, whatever the words: $body", async ({ paid, ...row }) => {
  expect(await settle(row)).toMatchObject({ result: { outcome: "refund_paid" }, paid: [paid] });
});

test.each<Row>([
  {
    body: "Je voulais un remboursement. Finalement non, je le garde.",
    quote: "Finalement non, je le garde.",
    claim: { wants: "no_money" },
  },
  {
    body: "Jos paketti on kadonnut, haluan rahani takaisin.",
    quote: "Jos paketti on kadonnut, haluan rahani takaisin.",
    claim: { wants: "if_lost" },
  },
  {
    body: "Please send another one rather than money.",
    quote: "Please send another one rather than money.",
    claim: { wants: "replacement" },
  },
  {
    body: "Refund me, but to my sister's card.",
    quote: "Refund me, but to my sister's card.",
    claim: { ...back, payout_elsewhere: true },
  },
  {
    body: "Refund the postage of 4.90 only.",
    quote: "Refund the postage of 4.90 only.",
    claim: { ...back, amount: EUR(4.9) },
  },
  { body: "Great lamp, thanks!", quote: "I want my money back.", claim: back },
])("pays nothing where a reader, or the e-mail, says otherwise: $body", async (row) => {
  expect(await settle(row)).toMatchObject({ result: { status: "escalated" }, paid: [] });
});
