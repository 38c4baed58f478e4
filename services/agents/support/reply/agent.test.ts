import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../contract-fields.ts";
import { REPLY_OUTCOMES } from "../contracts.ts";
import { createSupportTeam } from "../team.ts";
import { sandboxOutside } from "../testing/open-support.ts";
import { MemoryRuntime } from "../testing/memory-runtime.ts";

const runtime = () => new MemoryRuntime(createSupportTeam(sandboxOutside(() => "http://127.0.0.1:9")));
const request = { outcome: "refund_paid", customer_email: "a@b.example", summary: "Paid." };

describe("reply", () => {
  test.each(LANGUAGES)("answers in %s, with every fact and step in it", async (language) => {
    for (const outcome of REPLY_OUTCOMES) {
      const facts = [
        { label: "refund", value: "R-77" },
        { label: "amount", value: "42.50 EUR" },
      ];
      const told = await runtime().deliver("reply", { ...request, outcome, language, facts, steps: ["S-1"] });
      if (told.kind !== "completed") throw new Error("the run did not end");
      const result = told.result as { body: string; to: string };
      expect(result.to).toBe("a@b.example");
      for (const said of ["R-77", "42.50 EUR", "1. S-1"]) expect(result.body).toContain(said);
    }
  });

  const ticket = [{ label: "ticket", value: "T-1" }];
  const send = (body: string, says: readonly object[], more: object = {}) => {
    const own = runtime();
    own.answers.set("reply/draft", { subject: "Hi", body });
    own.answers.set("reply/check", { says });
    return own.deliver("reply", { ...request, outcome: "ticket_opened", facts: ticket, ...more });
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
    await expect(send(body, says)).rejects.toMatchObject({
      code: "SUPPORT_REPLY_UNFOUNDED",
      failureClass: "content_error",
      message: expect.stringContaining(what),
    });
  });

  test("sends what was done, in any words, and asks the second reader nothing but the letter", async () => {
    const told = await send("T-1: we do not pay a refund, and your 2 tickets are seen to on 24.12.2026.", []);
    expect(told.kind).toBe("completed");
    const paid = { outcome: "refund_paid", facts: [{ label: "amount", value: "1250.00 EUR" }] };
    const body = "We paid back your money: 1250.00 EUR (1.250,00 €).";
    expect((await send(body, [{ what: "refund", quote: body }], paid)).kind).toBe("completed");
  });

  test("sends no answer that leaves out a fact, and names what is missing without its value", async () => {
    const failed = send("All done.", [], { facts: [{ label: "refund", value: "R-77" }] });
    await expect(failed).rejects.toMatchObject({
      code: "SUPPORT_REPLY_INCOMPLETE",
      failureClass: "content_error",
    });
    await expect(failed).rejects.not.toThrow(/R-77/);
  });
});
