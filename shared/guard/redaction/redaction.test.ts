import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactText, redactValue } from "./redact-text.ts";

const only = (text: string): string => redactText(text).text;

describe("redactText", () => {
  it.each([
    ["4111 1111 1111 1111", "[card]"],
    ["Card:5555555555554444, thanks", "Card:[card], thanks"],
    ["3782-822463-10005", "[card]"],
    ["order 12 4111111111111111 2026", "order 12 [card] 2026"],
    ["\uFF14111 1111 1111 1111", "[card]"],
    ["DE89 3704 0044 0532 0130 00 please", "[iban] please"],
    ["to GB82WEST12345698765432.", "to [iban]."],
    ["fr14 2004 1010 0505 0001 3m02 606", "[iban]"],
    ["write to ada.lovelace+x@mail.example.org!", "write to [email]!"],
    ["jörg@müller.example", "[email]"],
    ["call +49 (0)171 123 4567 or 0171/1234567", "call [phone] or [phone]"],
    ["(555) 123-4567", "[phone]"],
    ["key sk-abcdefghijklmnop1234", "key [secret]"],
    ["Authorization: Bearer abc123def456ghi789", "Authorization: Bearer [secret]"],
    ["password = hunter2", "password = [secret]"],
    ["password:[card]password:##(4", "password:[card]password:[secret]"],
    ["password=sk-0-000000+rest", "password=[secret]"],
    ["https://ada:pa55word@shop.example/x", "https://ada:[secret]@shop.example/x"],
    ["-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----", "[secret]"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "[secret]"],
  ])("takes out what is sensitive: %s", (text, redacted) => {
    expect(only(text)).toBe(redacted);
  });

  it.each([
    "4111 1111 1111 1112",
    "order 2026-08-18-000123",
    "refunds@2 and export@4.2",
    "on 18.08.2026 at 10:15",
    "DE88 3704 1144 1532 1130 11",
    "0.123456789",
    "version 10.4.0, 1,234,567.89 EUR",
    "tokens: 1234567, token limit 100000",
    "0199a1b2-4111-4111-8111-111111111111",
    "4bf92f3577b34da6a3ce929d0e0e4736",
    "2026-01-01T00:00:00.000Z",
  ])("leaves what only looks a little like it: %s", (text) => {
    expect(only(text)).toBe(text);
  });

  it("takes out only the kinds that are declared, and counts them", () => {
    const text = "ada@mail.example paid with 4111111111111111 and 5555555555554444";
    expect(redactText(text, ["card"])).toEqual({
      text: "ada@mail.example paid with [card] and [card]",
      found: { card: 2 },
    });
  });

  it("finds a card or an IBAN wherever it stands", () => {
    fc.assert(
      fc.property(prose, card, prose, (before, number, after) => {
        expect(only(`${before} ${number} ${after}`)).not.toContain(number);
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(prose, iban, prose, (before, number, after) => {
        expect(only(`${before} ${number} ${after}`)).not.toContain(number);
      }),
      { numRuns: 300 },
    );
  });

  it("never takes an id of ours for somebody's number, and finds nothing more the second time", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.stringMatching(/^[0-9a-f]{32}$/), (id, trace) => {
        expect(only(`run ${id}, trace ${trace}.`)).toBe(`run ${id}, trace ${trace}.`);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const once = only(text);
        expect(only(once)).toBe(once);
      }),
      {
        numRuns: 500,
        examples: [
          ["password:sk-0-000000+49"],
          ["eyJ://password:4@"],
          ["password:+49 171 1234567"],
          ["sk-password:[card]password:##(4"],
          ["sk-0-A0000a.de@0.password:"],
        ],
      },
    );
  });
});

describe("redactValue", () => {
  it("looks into members, their names, lists and numbers, and hides what a name says is secret", () => {
    const value = {
      "ada@mail.example": { card: 4111111111111111, note: "or 5555555555554444" },
      "bob@mail.example": [1, true, null, "fine"],
      apiKey: "anything",
      api_key_count: 3,
      password: 12345678,
    };
    expect(redactValue(value).value).toEqual({
      "[email]": { card: "[card]", note: "or [card]" },
      "[email] 2": [1, true, null, "fine"],
      apiKey: "[secret]",
      api_key_count: 3,
      password: "[secret]",
    });
  });

  it("shows nothing of what lies deeper than any payload may", () => {
    let deep: unknown = "4111111111111111";
    for (let n = 0; n < 5000; n += 1) deep = [deep];
    expect(JSON.stringify(redactValue(deep).value)).not.toContain("4111");
  });
});

const prose = fc
  .array(fc.constantFrom("hello", "the", "order", "7", "12", "2026", "no.", "was", "€", "(", "-", "x"), {
    maxLength: 8,
  })
  .map((words) => words.join(" "));

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });

const card = fc
  .tuple(
    fc.constantFrom("4", "51", "37", "6011"),
    fc.integer({ min: 14, max: 16 }),
    digits(16),
    fc.constantFrom("", " ", "-"),
  )
  .map(([head, length, rest, separator]) => {
    const body = (head + rest.join("")).slice(0, length - 1);
    const sum = Array.from(body)
      .toReversed()
      .reduce((total, char, n) => {
        const doubled = n % 2 === 0 ? Number(char) * 2 : Number(char);
        return total + (doubled > 9 ? doubled - 9 : doubled);
      }, 0);
    const number = body + String((10 - (sum % 10)) % 10);
    return number.replaceAll(/(.{4})(?=.)/g, `$1${separator}`);
  });

const iban = fc.tuple(digits(18), fc.boolean()).map(([body, isSpaced]) => {
  const account = body.join("");
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  const whole = `DE${String(check).padStart(2, "0")}${account}`;
  return isSpaced ? whole.replaceAll(/(.{4})(?=.)/g, "$1 ") : whole;
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "4",
        "1111",
        " ",
        "-",
        "@",
        "a.de",
        "+49",
        "0",
        "sk-",
        "password:",
        "[card]",
        "eyJ",
        "://",
        "DE89",
        "é",
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));
