import { beforeEach, describe, expect, test } from "vitest";
import { timestamp } from "#shared/clock";
import { openSupport } from "../testing/open-support.ts";
import type { SupportSystem } from "../testing/open-support.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
});

const email = {
  from: "Hannah Moore <Hannah@Mail.example>",
  subject: "Refund",
  body: "My lamp from order A-10234 is broken. Please refund me 42.50 EUR.",
};
const sort = (changes: object = {}) => system.run({ ...email, ...changes });
const decided = (decision: object) => {
  const quote = "Please refund me 42.50 EUR.";
  const requests = [{ language: "en", summary: "A customer wrote.", quote, ...decision }];
  system.answers["triage/requests"] = () => ({ requests });
};

describe("triage", () => {
  test("hands a refund on with its parameters by one call, whose instructions hold no customer's words", async () => {
    const customer_email = "hannah@mail.example";
    system.shop.addOrder({ order_id: "A-10234", bought_at: timestamp(), customer_email });
    const { path, result } = await sort();
    expect(path).toEqual(["triage", "refunds", "reply"]);
    expect(result).toMatchObject({ outcome: "refund_paid", to: customer_email, language: "en" });
    const paid = { order_id: "A-10234", amount: 42.5, currency: "EUR", reason: "damaged" };
    expect(system.shop.done("/sandbox/payments/refunds")).toMatchObject([{ body: paid }]);
    const [first, second] = system.asked;
    expect(first).toMatchObject({ step: "requests", instructions: expect.not.stringContaining("A-10234") });
    const text = `${email.subject}\n\n${email.body}`;
    expect(second).toMatchObject({ step: "claim", input: JSON.stringify({ order_id: "A-10234", text }) });
  });

  test("fails loudly on a route that does not exist", async () => {
    decided({ route: "gardening" });
    expect(await sort()).toMatchObject({ error: { class: "validation_error" } });
  });

  test.each([
    ["order number", { route: "refunds", reason: "damaged", order_id: "A-99999" }],
    [
      "sum",
      { route: "refunds", reason: "damaged", order_id: "A-10234", amount: { value: 425, currency: "EUR" } },
    ],
    [
      "account",
      { route: "refunds", reason: "damaged", order_id: "A-10234", account: "DE02120300000000202051" },
    ],
    ["part of the order number", { route: "refunds", reason: "damaged", order_id: "10234" }],
    ["longer order number", { route: "refunds", reason: "damaged", order_id: "10234-1" }],
    [
      "quotation of a refund",
      { route: "refunds", reason: "damaged", order_id: "A-10234", quote: "Give me everything." },
    ],
    ["quotation of spam", { route: "spam", quote: "You have won." }],
  ])("hands a made-up %s to a person", async (_what, decision) => {
    decided(decision);
    const { path, result } = await sort();
    expect(path).toEqual(["triage", "escalation"]);
    expect(result).toMatchObject({ cause: "unclear" });
  });

  test("asks for the order's number where none is given", async () => {
    const { path, result } = await sort({ body: "I want a refund." });
    expect(path).toEqual(["triage", "reply"]);
    expect(result).toMatchObject({ outcome: "order_number_needed" });
  });

  test("gives every request of several the whole e-mail, and drops thanks beside them", async () => {
    const one = { language: "en", summary: "A request.", quote: "Please refund me 42.50 EUR." };
    const requests = [
      { route: "refunds", ...one, reason: "damaged", order_id: "A-10234" },
      { route: "nothing-asked", ...one },
      { route: "feature-requests", ...one, idea: "Dark mode" },
    ];
    system.answers["triage/requests"] = () => ({ requests });
    system.shop.addOrder({ order_id: "A-10234" });
    const parts = [{ category: "refunds" }, { category: "feature-requests" }];
    expect(await sort()).toMatchObject({ result: { parts } });
    const read = system.asked.filter(({ step }) => step !== "requests").map(({ input }) => input);
    const text = JSON.stringify(`${email.subject}\n\n${email.body}`);
    expect(read.filter((input) => input.includes(text)).length).toBeGreaterThanOrEqual(2);
  });

  test("asks no model about what a mail program reports", async () => {
    const run = await sort({ from: "Mail <MAILER-DAEMON@mail.example>" });
    expect(run).toMatchObject({ status: "completed", result: { cause: "automatic" } });
    expect(system.asked).toEqual([]);
  });

  test("takes the number from the help desk's hint", async () => {
    const { result } = await sort({ body: "I want a refund.", order_hint: "A-777" });
    expect(result).toMatchObject({ decided: { category: "refunds", order_id: "A-777" } });
    expect(result).not.toHaveProperty("decided.amount");
  });

  test.each([
    ["technical", { route: "technical", product: "app", symptoms: ["crashes"] }],
    ["feature-requests", { route: "feature-requests", idea: "Dark mode" }],
    ["sales", { route: "sales", seats: 12 }],
    ["operations", { route: "operations", kind: "invoice", wants_refund: false, order_id: "A-10234" }],
    ["escalation", { route: "escalation", cause: "press" }],
  ])("hands to %s what it needs", async (route, decision) => {
    decided(decision);
    expect((await sort()).path[1]).toBe(route);
  });

  test("archives spam", async () => {
    decided({ route: "spam" });
    expect(await sort()).toMatchObject({
      status: "completed",
      result: { status: "archived", cause: "spam", language: "en", decided: { category: "spam" } },
    });
  });

  test.each([{ from: "nobody" }, { from: "a b@c" }, { body: "" }, { body: 7 }, { body: " ", subject: " " }])(
    "refuses an e-mail that is none: %j",
    async (changes) => {
      expect(await sort(changes)).toMatchObject({ error: { class: expect.any(String) } });
      expect(system.asked).toEqual([]);
    },
  );
});
