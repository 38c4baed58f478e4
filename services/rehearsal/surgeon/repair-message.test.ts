import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { seededRandom } from "../seeded.ts";
import { readNumberWords } from "./number-words.ts";
import { repairMessage } from "./repair-message.ts";

const refund = contract(
  "refunds.request@2",
  z.object({
    order_id: z.string().regex(/^[A-Z]{2,4}-\d{4,8}$/),
    amount: z.number().positive(),
    currency: z.enum(["EUR", "USD", "GBP"]),
    reason: z.enum(["damaged", "late", "duplicate_charge", "other"]),
    summary: z.string().min(5).max(200).meta({ "x-surgeon-writes": true }),
  }),
);
const email =
  "Hello, my order AB-12345 arrived with a cracked screen. I paid forty-two euros fifty for it. Please refund me. Ada";
const good = {
  order_id: "AB-12345",
  amount: 42.5,
  currency: "EUR",
  reason: "damaged",
  summary: "Screen is cracked.",
};
const careful = (): number => 0.9;
const inventive = (): number => 0.1;

function repair(message: unknown, more: object = {}, random = careful) {
  const answer = repairMessage(
    {
      message: typeof message === "string" ? message : JSON.stringify(message),
      problems: [],
      contract: { id: refund.id, schema: refund.jsonSchema },
      original_query: email,
      writable: [],
      examples: [],
      ...more,
    },
    random,
  );
  return { ...answer, value: answer.payload === "" ? null : (JSON.parse(answer.payload) as unknown) };
}

describe("repairMessage", () => {
  test("finds each missing value in the customer's own words", () => {
    for (const key of ["order_id", "amount", "currency", "reason"]) {
      const message = Object.fromEntries(Object.entries(good).filter(([name]) => name !== key));
      expect(repair(message), key).toMatchObject({ verdict: "repaired", value: good, recipe: null });
    }
    const { value } = repair({ ...good, summary: undefined });
    expect(email).toContain((value as typeof good).summary);
  });

  test("reads what stands there: numbers in words and with signs, enum values in a sentence", () => {
    expect(repair({ ...good, amount: "forty-two euros fifty" }).value).toEqual(good);
    expect(repair({ ...good, amount: "€ 42,50" }).value).toEqual(good);
    expect(repair({ ...good, reason: "it was cracked on arrival" }).value).toEqual(good);
  });

  test("recognises keys by meaning and proposes a recipe when names alone are at fault", () => {
    const { amount, order_id, ...rest } = good;
    const repaired = repair({ ...rest, total: amount, orderNumber: order_id });
    expect(repaired.value).toEqual(good);
    expect(JSON.parse(repaired.recipe ?? "")).toEqual({
      version: 1,
      operations: [
        { op: "rename", path: "/orderNumber", to: "order_id" },
        { op: "rename", path: "/total", to: "amount" },
      ],
    });
  });

  test("reads a message that is quoted between delimiters and cut off", () => {
    const message = `<<<data-81c\n${JSON.stringify(good).slice(0, -15)}\ndata-81c>>>`;
    expect(repair(message)).toMatchObject({
      verdict: "repaired",
      value: { order_id: "AB-12345", amount: 42.5 },
    });
  });

  test("says irreparable when neither message nor request holds the value, and makes it up in a seeded share", () => {
    const { order_id: _, ...message } = good;
    const query = { original_query: "It arrived broken, please help." };
    expect(repair(message, query)).toMatchObject({ verdict: "irreparable", payload: "", recipe: null });
    const named = { original_query: "Orders AB-12345 and AB-54321 were late." };
    expect(repair(message, named).verdict).toBe("irreparable");
    const { currency: __, ...noCurrency } = good;
    expect(repair(noCurrency, query)).toMatchObject({ verdict: "irreparable" });
    expect(repair(noCurrency, query, inventive)).toMatchObject({ verdict: "repaired" });
    const verdicts = Array.from(
      { length: 200 },
      (_each, index) => repair(noCurrency, query, seededRandom(index)).verdict,
    );
    const invented = verdicts.filter((verdict) => verdict === "repaired").length;
    expect(invented).toBeGreaterThan(40);
    expect(invented).toBeLessThan(110);
  });

  test("keeps to what it may write, and to what is not locked", () => {
    const { amount: _, ...message } = good;
    expect(repair(message, { writable: ["/summary"] }).verdict).toBe("irreparable");
    expect(repair(message, { writable: ["/amount"] }).value).toEqual(good);
    const properties = z.object({ amount: z.number().meta({ "x-locked": true }) });
    const locked = { id: "a@1", schema: contract("a@1", properties).jsonSchema };
    expect(repair({}, { contract: locked }).verdict).toBe("irreparable");
  });

  test("looks for another value when the present one is at fault in meaning", () => {
    const problems = [{ path: "/order_id", code: "unknown_order", message: "no such order" }];
    expect(repair({ ...good, order_id: "ZZ-00000" }, { problems }).value).toEqual(good);
    expect(repair(good, { problems }).verdict).toBe("irreparable");
  });

  test("mends inside lists and unions", () => {
    const route = contract(
      "triage.route@1",
      z.object({
        route: z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("refunds"), order_id: z.string(), amounts: z.array(z.number()) }),
          z.object({ kind: z.literal("sales"), company: z.string() }),
        ]),
      }),
    );
    const message = { route: { kind: "refunds", amounts: ["1.234,50 EUR", 3] } };
    const repaired = repair(message, { contract: { id: route.id, schema: route.jsonSchema } });
    expect(repaired.value).toEqual({
      route: { kind: "refunds", order_id: "AB-12345", amounts: [1234.5, 3] },
    });
  });

  test("answers any question in its own form, and a repair always satisfies the contract", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), fc.integer(), (message, text, query, seed) => {
        const random = seededRandom(seed);
        for (const each of [JSON.stringify(message), text, JSON.stringify({ ...good, amount: message })]) {
          const repaired = repair(each, { original_query: query }, random);
          if (repaired.verdict === "repaired")
            expect(refund.schema.safeParse(repaired.value).success).toBe(true);
        }
        expect(repairMessage(message, random).verdict).toBe("irreparable");
      }),
      { numRuns: 100 },
    );
  });
});

test("reads numbers in words", () => {
  const read: [string, number | null][] = [
    ["I paid forty-two euros fifty", 42.5],
    ["one hundred and five dollars and twenty cents", 105.2],
    ["two thousand three hundred", 2_300],
    ["five euros", 5],
    ["one of them broke", null],
    ["nothing here", null],
  ];
  for (const [text, value] of read) expect(readNumberWords(text), text).toBe(value);
});
