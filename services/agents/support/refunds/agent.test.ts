import { beforeEach, describe, expect, test } from "vitest";
import { timestamp } from "#shared/clock";
import { openSupport } from "../testing/open-support.ts";
import type { SupportSystem } from "../testing/open-support.ts";

const PAID = "/sandbox/payments/refunds";
const request = {
  order_id: "A-10234",
  amount: { value: 42.5, currency: "EUR" },
  reason: "damaged",
  customer_email: "buyer@example.com",
  summary: "Wants money back for a cracked lamp.",
  text: "The lamp is cracked, please refund me 42.50 EUR.",
};

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
  system.shop.addOrder({ order_id: "A-10234", bought_at: timestamp() });
});

const OLDER = { to: "refunds", contract: "refunds.request@1" };
const ask = (changes: object = {}) => system.run({ ...request, ...changes }, { to: "refunds" });

describe("refunds", () => {
  test("pays once and tells the customer the refund's number and sum", async () => {
    const body = expect.stringMatching(/A-10234[^]*refunds-1[^]*42\.50 EUR/);
    expect(await ask()).toMatchObject({ result: { outcome: "refund_paid", body } });
    expect(system.shop.done(PAID).map((effect) => effect.body)).toEqual([
      { order_id: "A-10234", amount: 42.5, currency: "EUR", reason: "damaged" },
    ]);
  });

  test("pays an order once, whatever runs and spellings ask again", async () => {
    await ask();
    system.shop.addOrder({ order_id: "a-10234", bought_at: timestamp() });
    const again = await ask({ order_id: "a-10234", amount: null, text: "Please refund me." });
    expect(again).toMatchObject({ result: { outcome: "already_refunded" } });
    expect(system.shop.done(PAID)).toHaveLength(1);
  });

  test("asks the provider after a crash between paying and remembering, and does not pay again", async () => {
    system.shop.breakNextEffect();
    expect(await ask()).toMatchObject({
      result: { outcome: "refund_paid" },
      failures: [{ failure_class: "transient" }],
    });
    expect(system.shop.done(PAID)).toHaveLength(1);
  });

  test("takes the older form in cents", async () => {
    const { order_id, ...rest } = request;
    await system.run({ ...rest, order: order_id, amount: 4250 }, OLDER);
    expect(system.shop.done(PAID)[0]?.body).toMatchObject({ amount: 42.5, currency: "EUR" });
  });

  test("refuses the older form where its sum is text, since nobody knows the unit", async () => {
    const older = { order: "A-10234", amount: "4250", customer_email: "a@b.example", summary: "x" };
    const { failures } = await system.run(older, OLDER);
    expect(failures.at(-1)).toMatchObject({ code: "PAYLOAD_INVALID", issues: [{ path: "/amount" }] });
  });

  test("asks for the number again where the shop has no such order", async () => {
    const { result } = await ask({ order_id: "A-99999" });
    expect(result).toMatchObject({ outcome: "order_unknown" });
    expect(system.shop.done(PAID)).toHaveLength(0);
  });

  test.each([
    ["a sum above the price", { amount: { value: 9999, currency: "EUR" } }],
    ["an account in the request", { account: "DE02120300000000202051" }],
    ["an account in the text", { text: "Refund me to DE02 1203 0000 0000 2020 51 please." }],
    ["a wish for a replacement", { summary: "Lamp cracked", text: "Please exchange it." }],
  ])("hands %s to a person and pays nothing", async (_case, changes) => {
    expect(await ask(changes)).toMatchObject({ result: { status: "escalated" } });
    expect(system.shop.done(PAID)).toHaveLength(0);
  });

  test("asks a second time, blind to the first reading, and gives what is taken back to a person", async () => {
    const text = "Remboursez-moi 42,50 €. Finalement, gardez l'argent.";
    const claim = { wants: "no_money", quote: "Finalement, gardez l'argent.", amount: null };
    system.answers["refunds/claim"] = () => ({ ...claim, payout_elsewhere: false });
    expect(await ask({ text })).toMatchObject({ result: { status: "escalated", cause: "unclear" } });
    expect(JSON.parse(system.asked[0]?.input ?? "")).toEqual({ order_id: "A-10234", text });
    expect(system.shop.done(PAID)).toHaveLength(0);
  });

  test("refuses a sum with more decimals than money has", async () => {
    const amount = { value: 42.505, currency: "EUR" };
    const { failures } = await ask({ amount });
    const issues = [{ path: "/amount/value" }];
    expect(failures.at(-1)).toMatchObject({ failure_class: "content_error", issues });
  });
});

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
  const { answers, run, shop } = system;
  const order_id = "A-1001";
  shop.addOrder({ order_id, total: 35, bought_at: timestamp(), customer_email: "kim@mail.example", status });
  const asked = { route: "refunds", language: "other", summary: "Asks for money.", quote, order_id };
  const reason = status === "lost" ? "not_received" : "damaged";
  const wanted = { ...asked, reason, ...(amount && { amount }) };
  answers["triage/requests"] = () => ({ requests: [wanted] });
  answers["refunds/claim"] = () => ({ quote, amount: null, payout_elsewhere: false, ...claim });
  const { result } = await run({ from: "kim@mail.example", subject: "A-1001", body });
  const paid = shop.done(PAID).map((refund) => refund.body["amount"]);
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
