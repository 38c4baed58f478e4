import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { firstAid } from "#shared/repair";
import type { FaultCase, FaultClass } from "./arbitraries.ts";
import * as choices from "./choices.ts";
import * as members from "./members.ts";
import * as numbers from "./numbers.ts";
import * as structure from "./structure.ts";
import * as texts from "./texts.ts";

const RUNS = 200;

/** Holds first aid to the only right value of each text of a class, and to reading a part of them. */
function holds(name: string, { cases, leastRead }: FaultClass): void {
  test(name, () => {
    let [count, read] = [0, 0];
    fc.assert(
      fc.property(cases, (one) => {
        const result = firstAid(one.text, one.schema);
        count += 1;
        if (!result.ok) return;
        read += 1;
        expect(isRight(one, result.value), `gives ${JSON.stringify(result.value)}`).toBe(true);
      }),
      { numRuns: RUNS },
    );
    expect(read / count).toBeGreaterThanOrEqual(leastRead);
  });
}

function isRight({ value }: FaultCase, given: unknown): boolean {
  return value !== undefined && isDeepStrictEqual(given, value);
}

describe("1: JSON in a text of an object", () => {
  holds("the object is read, and its text as it is", structure.ESCAPED);
});

describe("2: a bracket of another sort", () => {
  holds("in a text", structure.BRACKETS_IN_TEXT);
  holds("in place of the right one, or too many", structure.WRONG_CLOSERS);
});

describe("3: a text takes in structure", () => {
  holds("marks are missing, or the text is cut", structure.LACKING_MARKS);
});

describe("4: values without quotes", () => {
  holds("hold brackets, colons and commas", structure.BARE_WORDS);
});

describe("5: levels", () => {
  holds("one is missing, added or renamed", members.LEVELS);
});

describe("6: two spellings of one name", () => {
  holds("have two values", members.SPELLINGS);
});

describe("7: names that every object has", () => {
  holds("are read where they are declared", members.DECLARED_PROTOTYPES);
  holds("are no wrapper", members.PROTOTYPE_WRAPPERS);
});

describe("8: an apology", () => {
  holds("is no value", choices.APOLOGIES);
  holds("is no list, object or number in an answer", choices.APOLOGIES_INSIDE);
});

describe("9: two choices", () => {
  holds("members of an enum, constants of a union", choices.TWO_MEMBERS);
  holds("numbers, dates, yes and no", choices.TWO_SCALARS);
  holds("alternatives of a union", choices.TWO_ALTERNATIVES);
});

describe("10: a unit that contradicts", () => {
  holds("a currency", numbers.OTHER_CURRENCY);
  holds("a unit of another kind", numbers.OTHER_UNIT);
});

describe("11: numbers, comments and nonsense", () => {
  holds("comments touch values", numbers.REMARKS_AT_VALUES);
  holds("half numbers", numbers.HALF_NUMBERS);
  holds("marks without a value", numbers.NONSENSE);
});

describe("12: texts as they are written", () => {
  holds("in JSON with a fault elsewhere", texts.KEPT_TEXTS);
  holds("with escapes that JSON does not have", texts.RAW_ESCAPES);
  holds("without quotes", texts.WRITTEN_BARE);
  holds("but for spellings of null", texts.NULLS);
  holds("and not out of a code block", texts.CODE_BLOCKS);
});

describe("13: members outside of a block", () => {
  holds("are not dropped", members.OUTER_MEMBERS);
});
