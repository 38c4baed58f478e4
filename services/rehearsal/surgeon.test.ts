import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { seededRandom } from "./faults.ts";
import { repairMessage } from "./surgeon.ts";

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
  "Hello, my order AB-12345 arrived damaged, its screen cracked. I paid EUR 42.50 for it. Please refund me. Ada";
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

  test("reads what stands there: digits with signs, enum values in a sentence, a key of the same name", () => {
    expect(repair({ ...good, amount: "€ 42,50" }).value).toEqual(good);
    expect(repair({ ...good, reason: "it was damaged on arrival" }).value).toEqual(good);
    const { order_id, ...rest } = good;
    expect(repair({ ...rest, meta: { "Order-ID": order_id } }, { original_query: "" }).value).toMatchObject(
      good,
    );
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
