import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPayload } from "#shared/contract";
import { RefundsRequest } from "../contracts.ts";
import { RefundClaim, decideRefund, REFUND_POLICY } from "./policy.ts";
import type { Order } from "../outside/ports.ts";

const atMs = Date.parse("2026-03-01T12:00:00.000Z");
const order: Order = {
  order_id: "A-10234",
  total: 100,
  currency: "EUR",
  status: "delivered",
  bought_at: "2026-02-20T00:00:00.000Z",
  customer_email: "buyer@example.com",
};

function requestOf(changes: object = {}) {
  return checkPayload(RefundsRequest, {
    order_id: "A-10234",
    amount: null,
    reason: "damaged",
    customer_email: "buyer@example.com",
    summary: "Wants money back.",
    ...changes,
  });
}

const text = "Bitte zahlen Sie mir 100,00 € zurück. Oder 12,50 €.";
const claim = {
  wants: "money_back",
  quote: "bitte zahlen sie mir\n100,00 €",
  amount: null,
  payout_elsewhere: false,
} as const;
const decide = (request: object, changed: Partial<Order> = {}, read: object = {}) =>
  decideRefund({
    request: requestOf(request),
    claim: checkPayload(RefundClaim, { ...claim, ...read }),
    text,
    order: { ...order, ...changed },
    atMs,
  });

describe("the refund policy", () => {
  test("pays the whole price where no sum is named, and the sum where one is", () => {
    expect(decide({})).toEqual({ kind: "pay", amount: { value: 100, currency: "EUR" } });
    const amount = { value: 12.5, currency: "EUR" };
    expect(decide({ amount }, {}, { amount })).toEqual({ kind: "pay", amount });
  });

  test.each([
    ["a cent above the price", { amount: { value: 100.01, currency: "EUR" } }, {}, "conflicting_facts"],
    ["another currency", { amount: { value: 10, currency: "USD" } }, {}, "conflicting_facts"],
    ["a currency nobody knows", {}, { currency: "ZZZ" }, "conflicting_facts"],
    ["another account", { account: "DE02120300000000202051" }, {}, "payout_elsewhere"],
    ["a cent above the limit", {}, { total: 250.01 }, "over_limit"],
    ["a stranger", { customer_email: "else@example.com" }, {}, "conflicting_facts"],
    [
      "a stranger to a refunded order",
      { customer_email: "else@example.com" },
      { status: "refunded" },
      "conflicting_facts",
    ],
    ["no date", {}, { bought_at: "soon" }, "conflicting_facts"],
    ["a date in the future", {}, { bought_at: "2026-04-01T00:00:00.000Z" }, "conflicting_facts"],
  ])("leaves %s to a person", (_case, request, changed, cause) => {
    expect(decide(request, changed)).toMatchObject({ kind: "escalate", cause });
  });

  const sum = (value: number, currency = "EUR") => ({ amount: { value, currency } });

  test.each([
    ["another wish", {}, { wants: "replacement" }, "unclear"],
    ["a wish taken back", {}, { wants: "no_money" }, "unclear"],
    ["a condition, of an order that is not lost", {}, { wants: "if_lost" }, "unclear"],
    ["another account", {}, { payout_elsewhere: true }, "payout_elsewhere"],
    ["a quotation that nobody wrote", {}, { quote: "I want my money back" }, "conflicting_facts"],
    ["a quotation of nothing", {}, { quote: "Bi" }, "conflicting_facts"],
    ["a part, where the first read the whole", {}, sum(12.5), "conflicting_facts"],
    ["the whole, where the first read a part of the text", sum(12.5), {}, "conflicting_facts"],
    ["another currency", {}, sum(100, "CHF"), "conflicting_facts"],
  ])("leaves to a person what the second reading finds: %s", (_case, request, read, cause) => {
    expect(decide(request, {}, read)).toMatchObject({ kind: "escalate", cause });
  });

  const [days31, days30] = ["2026-01-29T12:00:00.000Z", "2026-01-30T12:00:00.000Z"];

  test.each([
    ["a sum that only the second reading names", {}, {}, sum(100), "pay"],
    ["a sum that only the first reading names", sum(100), {}, {}, "pay"],
    ["a condition, of an order that is lost", {}, { status: "lost" }, { wants: "if_lost" }, "pay"],
    ["a sum of a help desk's form, which the words do not name", sum(7.25), {}, {}, "pay"],
    ["a price at the limit", { customer_email: "Buyer@Example.com" }, { total: 250 }, {}, "pay"],
    ["a changed mind after 31 days", { reason: "changed_mind" }, { bought_at: days31 }, {}, "decline"],
    ["no reason after 31 days", { reason: "other" }, { bought_at: days31 }, {}, "decline"],
    ["a fault after 31 days", {}, { bought_at: days31 }, {}, "pay"],
    ["a changed mind after 30 days", { reason: "changed_mind" }, { bought_at: days30 }, {}, "pay"],
    ["a fault after two years", {}, { bought_at: "2024-02-01T00:00:00.000Z" }, {}, "decline"],
    ["what was refunded", {}, { status: "refunded" }, {}, "already_refunded"],
    ["what was never paid", {}, { status: "unpaid" }, {}, "decline"],
    ["a price of nothing", {}, { total: 0 }, {}, "decline"],
  ])("decides by the house rules: %s", (_case, request, changed, read, kind) => {
    expect(decide(request, changed, read).kind).toBe(kind);
  });

  test("never pays more than the price or the limit, whatever is asked", () => {
    const cents = fc.integer({ min: 1, max: 5_000_000 });
    fc.assert(
      fc.property(cents, cents, (asked, total) => {
        const decision = decide({ amount: { value: asked / 100, currency: "EUR" } }, { total: total / 100 });
        if (decision.kind !== "pay") return;
        expect(Math.round(decision.amount.value * 100)).toBeLessThanOrEqual(total);
        expect(decision.amount.value).toBeLessThanOrEqual(REFUND_POLICY.paidMax.EUR ?? 0);
      }),
    );
  });
});
