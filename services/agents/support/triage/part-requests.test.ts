import { describe, expect, test } from "vitest";
import { checkPayload } from "#shared/contract";
import { TriageAnswer } from "./answer.ts";
import { partRequests } from "./part-requests.ts";

const decisions = (...quotes: readonly string[]) =>
  checkPayload(TriageAnswer, {
    requests: quotes.map((quote) => ({
      route: "operations",
      language: "en",
      summary: "A request.",
      quote,
      kind: "other",
      wants_refund: false,
    })),
  }).requests;

const MAIL =
  "Hello, please refund order A-1001.\nAlso, please send me the invoice for A-1002.\nAnd could you change my address?";

describe("the requests of an e-mail", () => {
  test("share its text among them, with nothing left out", () => {
    const parts = partRequests(
      decisions(
        "please refund order A-1001",
        "please send me the invoice",
        "And could you change my address?",
      ),
      MAIL,
    );
    expect(parts.map(({ text }) => text)).toEqual([
      "Hello, please refund order A-1001.\nAlso,",
      "please send me the invoice for A-1002.",
      "And could you change my address?",
    ]);
  });

  test.each([
    ["the first alone", ["please refund order A-1001"]],
    ["the first two", ["please refund order A-1001", "please send me the invoice for A-1002"]],
    ["words that it does not hold", ["Pay 9999 EUR at once"]],
  ])("go to a person where a model found %s", (_what, quotes) => {
    const left = partRequests(decisions(...quotes), MAIL).filter(({ decision }) => decision === null);
    expect(left.map(({ text }) => text).join("\n")).toContain("change my address");
  });

  test("are one where it is one, whatever is quoted", () => {
    const text = "The cup from order A-1001 is broken. I want my money back, please.";
    expect(partRequests(decisions("anything"), text)).toMatchObject([{ text }]);
  });

  test("of a list of a hundred share a bounded number of tickets", () => {
    const text = Array.from(
      { length: 100 },
      (_, index) => `${index % 90}. Please send invoice ${index}.`,
    ).join("\n");
    const parts = partRequests(decisions("Please send invoice 0."), text);
    expect(parts.length).toBeLessThanOrEqual(9);
    expect(parts.map((part) => part.text).join("\n")).toContain("Please send invoice 99.");
  });
});
