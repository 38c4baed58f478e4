import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { firstAid } from "#shared/repair";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Case } from "./case.ts";
import { corpusCases, isHeldOut, ownCases, SPLITS } from "./case.ts";

/** Of all cases of both files: answers that are wrong, and the share of those that are exact. */
const WRONG_MAX = 4;
const EXACT_MIN = 0.905;

describe("the repair corpus", () => {
  test("has at least 600 cases, each with a name of its own, and holds about a third out", () => {
    const cases = ownCases();
    const share = cases.filter(isHeldOut).length / cases.length;
    expect(cases.length).toBeGreaterThanOrEqual(600);
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.39);
  });

  test("has right values that fit their contracts, and names of its own in every split", () => {
    const cases = corpusCases();
    const unfit = cases.filter(
      ({ right, schema }) => "value" in right && validate(right.value, schema ?? {}).length > 0,
    );
    expect(unfit.map((one) => one.id)).toEqual([]);
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
    expect(new Set(cases.map((one) => one.split))).toEqual(new Set(SPLITS));
  });

  test("is read as exactly as is published, and no more of it wrongly", { timeout: 60_000 }, () => {
    const judged = [...corpusCases(), ...ownCases()].map(({ input, schema, right }) => {
      const result = firstAid(input, schema);
      if (!result.ok) return "value" in right ? "refused" : "exact";
      return "value" in right && isDeepStrictEqual(result.value, right.value) ? "exact" : "wrong";
    });
    const count = (verdict: string): number => judged.filter((one) => one === verdict).length;
    expect(count("wrong")).toBeLessThanOrEqual(WRONG_MAX);
    expect(count("exact") / judged.length).toBeGreaterThan(EXACT_MIN);
  });

  // Millions with `SUTURE_FUZZ=3600 npm run fuzz -- bench/repair/fuzz.test.ts`.
  test(
    "keeps first aid to its laws on three thousand answers that two were spliced to",
    { timeout: 60_000 },
    () => {
      const ground = [...corpusCases(), ...ownCases()];
      const part = fc.tuple(fc.nat(ground.length - 1), fc.double({ min: 0, max: 1, noNaN: true }));
      const isKept = fc.property(part, part, ([first, keeps], [second, from]) => {
        const [head, tail] = [ground[first]?.input ?? "", ground[second]?.input ?? ""];
        const input = head.slice(0, keeps * head.length) + tail.slice(from * tail.length);
        const one = { input, schema: ground[first]?.schema };
        expect({ law: findBrokenLaw(one), ...one }).toEqual({ law: undefined, ...one });
      });
      fc.assert(isKept, { numRuns: 3000 });
    },
  );
});

/** Checks first aid's laws on a text. @returns The law that does not hold; undefined where all do. */
function findBrokenLaw({ input, schema }: Pick<Case, "input" | "schema">): string | undefined {
  try {
    const result = firstAid(input, schema);
    if (isPrototypeTouched()) return "no prototype is touched";
    if (!result.ok) return undefined;
    const { value } = result;
    if (!isPlain(value)) return "what it gives is plain JSON";
    if (schema === undefined) return undefined;
    if (validate(value, schema).length > 0) return "what it gives satisfies the schema";
    const text = JSON.stringify(value);
    const again = firstAid(text, schema);
    const isSame = again.ok && again.cost === 0 && isDeepStrictEqual(again.value, JSON.parse(text));
    return isSame ? undefined : "its own answer needs no first aid";
  } catch (error) {
    return `never throws: ${String(error)}`;
  }
}

const PROTOTYPES = [Object, Array, String, Number, Boolean, Function, Map, Set, RegExp].map(
  (one): object => one.prototype,
);
const NAMES = PROTOTYPES.map((one) => Reflect.ownKeys(one).length);

function isPrototypeTouched(): boolean {
  return PROTOTYPES.some((one, at) => Reflect.ownKeys(one).length !== NAMES[at]);
}

/** Returns true for objects and lists without a prototype of their own, all the way down. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "number" || Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isPlain);
  const isOrdinary = Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, "__proto__");
  return isOrdinary && Object.values(value).every(isPlain);
}
