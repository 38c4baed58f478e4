import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom, DAMAGES, planFault, spoil } from "./faults.ts";

const asked = { agent: "triage@1", step: "route", attempt: 1, reask: 0 };
const intact = {
  answer: {
    route: "refund_request",
    amount: 42.5,
    urgent: true,
    note: null,
    items: [{ id: "it's", reason: 'a "b"' }],
  },
  schema: { type: "object", properties: { route: { enum: ["refund_request", "other"] } } },
};

describe("planFault", () => {
  test("spoils about the share of requests that was asked for, and none at rate 0", () => {
    const inputs = Array.from({ length: 2_000 }, (_, index) => `{"n":${index}}`);
    const count = (faultRate: number): number =>
      inputs.filter((inputText) => planFault({ ...asked, inputText }, { faultRate, seed: 1 }).kind !== "none")
        .length;
    expect(count(0)).toBe(0);
    expect(count(1)).toBe(2_000);
    expect(count(0.15) / 2_000).toBeCloseTo(0.15, 1);
  });

  test("repeats a first question's damage on about half of the re-asks, never an outage", () => {
    const inputs = Array.from({ length: 1_000 }, (_, index) => `{"n":${index}}`);
    const plans = inputs.map((inputText) => ({
      first: planFault({ ...asked, inputText }, { faultRate: 1, seed: 3 }),
      again: planFault({ ...asked, inputText, reask: 1 }, { faultRate: 1, seed: 3 }),
    }));
    const damaged = plans.filter(({ first }) => first.kind === "damage");
    const repeated = damaged.filter(({ again }) => again.kind === "damage");
    expect(repeated.length / damaged.length).toBeGreaterThan(0.42);
    expect(repeated.length / damaged.length).toBeLessThan(0.58);
    for (const { first, again } of repeated)
      expect(again).toMatchObject({ name: Reflect.get(first, "name") });
    expect(plans.filter(({ again }) => again.kind === "outage")).toEqual([]);
  });

  test("draws anew for the next delivery of the same message", () => {
    const kinds = Array.from({ length: 50 }, (_, index) =>
      JSON.stringify(
        planFault({ ...asked, inputText: "{}", attempt: index + 1 }, { faultRate: 0.5, seed: 1 }),
      ),
    );
    expect(new Set(kinds).size).toBeGreaterThan(3);
  });
});

describe("every damage", () => {
  test.each(Object.keys(DAMAGES))("%s changes the text and is the same for the same seed", (name) => {
    const spoiled = DAMAGES[name]?.({ ...intact, random: seededRandom("x") });
    expect(spoiled).toBeTypeOf("string");
    expect(spoiled).not.toBe(JSON.stringify(intact.answer));
    expect(DAMAGES[name]?.({ ...intact, random: seededRandom("x") })).toBe(spoiled);
  });

  test("is done to what was asked for, not to a wrapper with one member", () => {
    for (const name of ["missing_field", "near_miss_key", "extra_keys"]) {
      const wrapped = { ...intact, answer: { decision: intact.answer } };
      const spoiled = DAMAGES[name]?.({ ...wrapped, random: seededRandom("y") }) ?? "";
      expect(Object.keys(JSON.parse(spoiled) as object)).toEqual(["decision"]);
    }
  });

  test("takes any JSON value without throwing and leaves the answer itself alone", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(...Object.keys(DAMAGES)),
        fc.integer(),
        (answer, name, seed) => {
          const before = JSON.stringify(answer);
          const fault = { kind: "damage", name, random: seededRandom(seed) } as const;
          expect(spoil({ answer, schema: null }, fault)).toBeTypeOf("string");
          expect(JSON.stringify(answer)).toBe(before);
        },
      ),
      { numRuns: 300 },
    );
  });
});
