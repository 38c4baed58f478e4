import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { handoffOf, openSupport } from "../testing/open-support.ts";
import { sentencesOf } from "../reading/sentences.ts";
import type { SupportSystem } from "../testing/open-support.ts";

let system: SupportSystem;
beforeEach(async () => {
  system = await openSupport();
});
afterEach(() => system.shop.close());

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
  test("hands a refund on with its parameters, so that nobody parses the e-mail again", async () => {
    const { to, payload } = handoffOf(await sort());
    expect(to).toBe("refunds");
    expect(payload).toMatchObject({
      order_id: "A-10234",
      amount: { value: 42.5, currency: "EUR" },
      reason: "damaged",
      customer_email: "hannah@mail.example",
      language: "en",
    });
  });

  test("asks a model once, for everything", async () => {
    await sort();
    expect(system.runtime.asked.map(({ agent, step }) => `${agent}/${step}`)).toEqual(["triage/requests"]);
  });

  test("keeps what the customer wrote out of the instructions", async () => {
    await sort();
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

  test.each([
    [
      "beside other requests",
      "Order A-555",
      "Please refund me 42.50 EUR.\nAlso, please send me the invoice.",
      "A-555",
    ],
    ["not without a mark", "555120", "Please refund me 42.50 EUR.", undefined],
    ["not one of two", "Orders A-555 and A-556", "Please refund me 42.50 EUR.", undefined],
    [
      "not beside another order",
      "Order A-555",
      "Please refund me 42.50 EUR. My order A-777 is fine.",
      undefined,
    ],
    [
      "not for two refunds",
      "Order A-555",
      "Please refund me the cup.\nAlso, please refund me the jug.",
      undefined,
    ],
  ])("takes the number of the only refund from the subject: %s", async (_case, subject, body, order) => {
    const quotes = sentencesOf(body).filter((sentence) => sentence.includes("refund"));
    const requests = quotes.map((quote) => ({
      route: "refunds",
      language: "en",
      summary: "-",
      quote,
      reason: "other",
    }));
    system.runtime.answers.set("triage/requests", { requests });
    const outcome = await sort({ subject, body });
    const drafts = outcome.kind === "fanned_out" ? outcome.fanOut.branches : [];
    const first = outcome.kind === "handed_off" ? outcome.handoffs[0] : drafts[0];
    expect(first?.to).toBe(order === undefined ? "reply" : "refunds");
    expect(JSON.stringify(first?.payload).includes(`"order_id":"${order ?? ""}"`)).toBe(order !== undefined);
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
