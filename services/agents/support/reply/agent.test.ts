import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../contract-fields.ts";
import { REPLY_OUTCOMES } from "../contracts.ts";
import { createSupportTeam } from "../create-team.ts";
import { createOutside, sandboxAddresses } from "../outside/outside.ts";
import { detectLanguage } from "../reading/detect-language.ts";
import { MemoryRuntime } from "../testing/memory-runtime.ts";

const runtime = () =>
  new MemoryRuntime(
    createSupportTeam(createOutside({ addresses: sandboxAddresses(() => "http://127.0.0.1:9") })),
  );
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
      expect(detectLanguage(result.body)).toBe(language === "other" ? "en" : language);
    }
  });

  test("sends no answer that says what was not done, whatever a model writes", async () => {
    const own = runtime();
    own.answers.set("reply/draft", {
      subject: "Hi",
      body: "T-1. Your refund of 400.00 EUR has been approved.",
    });
    const facts = [{ label: "ticket", value: "T-1" }];
    await expect(own.deliver("reply", { ...request, outcome: "ticket_opened", facts })).rejects.toMatchObject(
      {
        code: "SUPPORT_REPLY_UNFOUNDED",
        failureClass: "content_error",
      },
    );
  });

  test("sends no answer that leaves out a fact, and names what is missing without its value", async () => {
    const own = runtime();
    own.answers.set("reply/draft", { subject: "Hi", body: "All done." });
    const facts = [{ label: "refund", value: "R-77" }];
    const failed = own.deliver("reply", { ...request, facts });
    await expect(failed).rejects.toMatchObject({
      code: "SUPPORT_REPLY_INCOMPLETE",
      failureClass: "content_error",
    });
    await expect(failed).rejects.not.toThrow(/R-77/);
  });
});
