import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../contract-fields.ts";
import { REPLY_OUTCOMES } from "../contracts.ts";
import { openSupport } from "../testing/open-support.ts";

const request = { outcome: "refund_paid", customer_email: "a@b.example", summary: "Paid." };

describe("reply", () => {
  test.each(LANGUAGES)("answers in %s, with every fact and step in it", async (language) => {
    const { run } = await openSupport();
    for (const outcome of REPLY_OUTCOMES) {
      const facts = [
        { label: "refund", value: "R-77" },
        { label: "amount", value: "42.50 EUR" },
      ];
      const told = await run({ ...request, outcome, language, facts, steps: ["S-1"] }, { to: "reply" });
      const body = expect.stringMatching(/1\. S-1[^]*R-77[^]*42\.50 EUR/);
      expect(told).toMatchObject({ status: "completed", result: { to: "a@b.example", body } });
    }
  });

  const ticket = [{ label: "ticket", value: "T-1" }];
  const send = async (body: string, says: readonly object[], more: object = {}) => {
    const { answers, run } = await openSupport();
    answers["reply/draft"] = () => ({ subject: "Hi", body });
    answers["reply/check"] = () => ({ says });
    return run({ ...request, outcome: "ticket_opened", facts: ticket, ...more }, { to: "reply" });
  };

  test.each([
    ["a sum that was not paid", "T-1. That is 400.00 EUR.", []],
    [
      "a refund that was not made",
      "T-1. Tikets jūsu naudai.",
      [{ what: "refund", quote: "Tikets jūsu naudai." }],
    ],
    ["a compensation that was not made", "T-1. A voucher!", [{ what: "compensation", quote: "A voucher!" }]],
  ])("sends no answer that tells of %s", async (what, body, says) => {
    expect((await send(body, says)).error).toEqual({
      code: "SUPPORT_REPLY_UNFOUNDED",
      class: "content_error",
      message: expect.stringContaining(what),
    });
  });

  test("sends what was done, in any words, and asks the second reader nothing but the letter", async () => {
    const told = await send("T-1: we do not pay a refund, and your 2 tickets are seen to on 24.12.2026.", []);
    expect(told.status).toBe("completed");
    const paid = { outcome: "refund_paid", facts: [{ label: "amount", value: "1250.00 EUR" }] };
    const body = "We paid back your money: 1250.00 EUR (1.250,00 €).";
    expect((await send(body, [{ what: "refund", quote: body }], paid)).status).toBe("completed");
  });

  test("sends no answer that leaves out a fact, and names what is missing without its value", async () => {
    const { error } = await send("All done.", [], { facts: [{ label: "refund", value: "R-77" }] });
    expect(error).toMatchObject({ code: "SUPPORT_REPLY_INCOMPLETE", class: "content_error" });
    expect(JSON.stringify(error)).not.toContain("R-77");
  });
});
