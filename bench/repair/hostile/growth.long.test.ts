import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstAid } from "#shared/repair";
import { PIECES } from "../fuzz/make-text.ts";
import { Draw } from "../seeded.ts";
import { NODE, SCHEMAS } from "./schemas.ts";
import { HONEST_TEXTS, HOSTILE_TEXTS } from "./texts.ts";

/** Steps that reading and fitting a text takes, without the bound that would hide how they grow. */
function stepsOf(text: string, schema: string): number {
  let steps = 0;
  firstAid(text, SCHEMAS[schema], { workMax: 1e9, onWork: (taken) => (steps = taken) });
  return steps;
}

/** Steps that do not depend on the length: of attempts in vain, and of one match of a hostile pattern. */
const BESIDES = { usual: 400_000, patterns: 4_000_000 };
const besidesOf = (schema: string): number => (schema.includes("pattern") ? BESIDES.patterns : BESIDES.usual);

describe("the work of first aid", () => {
  const texts = Object.entries({ ...HOSTILE_TEXTS, ...HONEST_TEXTS });
  test.each(texts)("grows no faster than the text for %s, under any contract", (_, make) => {
    for (const schema of Object.keys(SCHEMAS)) {
      const one = stepsOf(make(4000, new Draw(1)), schema);
      const two = stepsOf(make(8000, new Draw(1)), schema);
      expect(two, schema).toBeLessThanOrEqual(2.5 * one + besidesOf(schema));
    }
  });

  test("grows no faster than the text for anything that is repeated", { timeout: 60_000 }, () => {
    const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 5 });
    const schemas = fc.constantFrom(...Object.keys(SCHEMAS));
    const around = fc.tuple(pieces, pieces);
    fc.assert(
      fc.property(
        around,
        fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }),
        schemas,
        ([before, after], unit, schema) => {
          const make = (chars: number): string =>
            before.join("") + unit.join("").repeat(Math.ceil(chars / unit.join("").length)) + after.join("");
          const [one, two] = [stepsOf(make(6000), schema), stepsOf(make(12_000), schema)];
          expect(two).toBeLessThanOrEqual(2.5 * one + besidesOf(schema));
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each(Object.entries(HONEST_TEXTS))("has room for an honest megabyte: %s", (_, make) => {
    const text = make(1_048_576, new Draw(1));
    expect(firstAid(text, NODE)).toMatchObject({ ok: true });
    expect(firstAid(text)).toMatchObject({ ok: true });
  });

  test("has room for ten thousand rows with numbers as texts, and mends every one", () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ name: `row ${at}`, count: String(at) }));
    const result = firstAid(JSON.stringify({ rows }), NODE);
    const right = { rows: rows.map(({ name, count }) => ({ name, count: Number(count) })) };
    expect(result).toMatchObject({ ok: true, value: right });
  });

  test("says so where a text takes too much", () => {
    const text = HOSTILE_TEXTS["rows that do not fit"]?.(4_000_000, new Draw(1)) ?? "";
    expect(firstAid(text, NODE, { workMax: 10_000_000 })).toMatchObject({ ok: false, code: "work_limit" });
  });
});
