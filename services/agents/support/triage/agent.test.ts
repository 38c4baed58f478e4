import { beforeEach, describe, expect, test } from "vitest";
import { handoffOf, openSupport } from "../testing/open-support.ts";
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
const sort = (changes: object = {}) => system.runtime.deliver("triage", { ...email, ...changes });
const decided = (decision: object) => {
  const quote = "Please refund me 42.50 EUR.";
  system.runtime.answers.set("triage/requests", {
    requests: [{ language: "en", summary: "A customer wrote.", quote, ...decision }],
  });
};

describe("triage", () => {
  test("hands a refund on with its parameters by one call, whose instructions hold no customer's words", async () => {
    const { to, payload } = handoffOf(await sort());
    expect(to).toBe("refunds");
    expect(payload).toMatchObject({
      order_id: "A-10234",
      amount: { value: 42.5, currency: "EUR" },
      reason: "damaged",
      customer_email: "hannah@mail.example",
      language: "en",
      text: `${email.subject}\n\n${email.body}`,
    });
    expect(system.runtime.asked.map(({ agent, step }) => `${agent}/${step}`)).toEqual(["triage/requests"]);
    expect(system.runtime.asked[0]?.instructions).not.toContain("A-10234");
  });

  test("fails loudly on a route that does not exist", async () => {
    decided({ route: "gardening" });
    await expect(sort()).rejects.toMatchObject({ failureClass: "validation_error" });
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
    const { to, payload } = handoffOf(await sort());
    expect(to).toBe("escalation");
    expect(payload).toMatchObject({ cause: "unclear" });
  });

  test("asks for the order's number where none is given", async () => {
    const { to, payload } = handoffOf(await sort({ body: "I want a refund." }));
    expect(to).toBe("reply");
    expect(payload).toMatchObject({ outcome: "order_number_needed" });
  });

  test("gives every request of several the whole e-mail, and drops thanks beside them", async () => {
    const one = { language: "en", summary: "A request.", quote: "Please refund me 42.50 EUR." };
    const requests = [
      { route: "refunds", ...one, reason: "damaged", order_id: "A-10234" },
      { route: "nothing-asked", ...one },
      { route: "feature-requests", ...one, idea: "Dark mode" },
    ];
    system.runtime.answers.set("triage/requests", { requests });
    const outcome = await sort();
    if (outcome.kind !== "fanned_out") throw new Error("one request");
    expect(outcome.fanOut.branches.map(({ to }) => to)).toEqual(["refunds", "feature-requests"]);
    const text = `${email.subject}\n\n${email.body}`;
    for (const { payload } of outcome.fanOut.branches) expect(payload).toMatchObject({ text });
    expect(outcome.fanOut.join.payload).toMatchObject({ requests: ["A request.", "A request."] });
  });

  test("asks no model about what a mail program reports", async () => {
    const outcome = await sort({ from: "Mail <MAILER-DAEMON@mail.example>" });
    expect(outcome).toMatchObject({ kind: "completed", result: { cause: "automatic" } });
    expect(system.runtime.asked).toEqual([]);
  });

  test("takes the number from the help desk's hint", async () => {
    const { payload } = handoffOf(await sort({ body: "I want a refund.", order_hint: "A-777" }));
    expect(payload).toMatchObject({ order_id: "A-777", amount: null });
  });

  test.each([
    ["technical", { route: "technical", product: "app", symptoms: ["crashes"] }],
    ["feature-requests", { route: "feature-requests", idea: "Dark mode" }],
    ["sales", { route: "sales", seats: 12 }],
    ["operations", { route: "operations", kind: "invoice", wants_refund: false, order_id: "A-10234" }],
    ["escalation", { route: "escalation", cause: "press" }],
  ])("hands to %s what it needs", async (route, decision) => {
    decided(decision);
    expect(handoffOf(await sort()).to).toBe(route);
  });

  test("archives spam", async () => {
    decided({ route: "spam" });
    expect(await sort()).toEqual({
      kind: "completed",
      result: { status: "archived", cause: "spam", language: "en", decided: { category: "spam" } },
    });
  });

  test.each([{ from: "nobody" }, { from: "a b@c" }, { body: "" }, { body: 7 }, { body: " ", subject: " " }])(
    "refuses an e-mail that is none: %j",
    async (changes) => {
      await expect(sort(changes)).rejects.toThrow();
    },
  );
});
