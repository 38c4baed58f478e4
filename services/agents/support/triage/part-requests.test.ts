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

  test("of a list of a hundred share one ticket", () => {
    const text = Array.from(
      { length: 100 },
      (_, index) => `${index % 90}. Please send invoice ${index}.`,
    ).join("\n");
    const parts = partRequests(decisions("Please send invoice 0."), text);
    expect(parts.length).toBe(2);
    expect(parts.map((part) => part.text).join("\n")).toContain("Please send invoice 99.");
  });

  const found = (route: string, quote: string, more: object = {}) =>
    checkPayload(TriageAnswer, {
      requests: [
        { route, language: "en", summary: "-", quote, reason: "other", wants_refund: false, ...more },
      ],
    }).requests;
  const unplaced = (request: ReturnType<typeof found>, text: string) =>
    partRequests(request, text)
      .filter(({ decision }) => decision === null)
      .map((part) => part.text)
      .join("\n");

  test.each([
    [
      "no connecting word",
      "It broke. Please refund 5 EUR. Could you please add Apple Pay?",
      "Please refund 5 EUR.",
      "Apple Pay",
    ],
    [
      "Polish",
      "Proszę o zwrot 129,00 zł. Czy moglibyście też zmienić mój adres?",
      "Proszę o zwrot 129,00 zł.",
      "adres",
    ],
    [
      "one sentence",
      "Quiero que me devuelvan el dinero, y además quiero saber si tenéis tienda en Sevilla.",
      "Quiero que me devuelvan el dinero",
      "Sevilla",
    ],
    [
      "a quotation of everything",
      "Please refund 5 EUR. Could you please add Apple Pay?",
      "Please refund 5 EUR. Could you please add Apple Pay?",
      "Apple Pay",
    ],
    [
      "an order in the imperative",
      "Please refund 5 EUR. Cancel my newsletter.",
      "Please refund 5 EUR.",
      "newsletter",
    ],
    [
      "a list",
      "1. Ich will mein Geld zurück.\n2. Unser Konto ist gesperrt.",
      "Ich will mein Geld zurück.",
      "gesperrt",
    ],
    [
      "another order",
      "Please refund order A-1001. Please refund order A-1002 too.",
      "Please refund order A-1001.",
      "A-1002",
    ],
    [
      "an unlisted language",
      "Jeg vil have mine penge tilbage. Skift venligst min adresse.",
      "Jeg vil have mine penge tilbage.",
      "adresse",
    ],
    ["a script without spaces", "我想退款。请把我的地址改为北京路五号。", "我想退款。", "地址"],
  ])("go to a person where a model names one of two: %s", (_case, text, quote, lost) => {
    const order = text.includes("A-1001") ? { order_id: "A-1001" } : {};
    expect(unplaced(found("refunds", quote, order), text)).toContain(lost);
  });

  test.each([
    [
      "a story",
      "refunds",
      "We bought a lamp in May. It came on Tuesday, the box was dented. My wife was sad. Please refund 5 EUR. Thanks, Kim",
    ],
    ["the same wish in two sentences", "refunds", "Please refund 5 EUR. I would like my money back soon."],
    [
      "help with what was said",
      "technical",
      "The app crashes when I open it. What can I do? Please help me.",
    ],
    [
      "the same wish in German",
      "refunds",
      "Ich möchte bitte mein Geld zurück. Bitte erstatten Sie 5 EUR.\nMit freundlichen Grüßen\nKarl",
    ],
  ])("is one where it asks for one thing: %s", (_case, route, text) => {
    const quote = route === "refunds" ? text.match(/[^.]*(?:refund|Geld)[^.]*\./)?.[0] : "The app crashes";
    expect(unplaced(found(route, quote ?? "", { product: "app", symptoms: [] }), text)).toBe("");
  });
});
