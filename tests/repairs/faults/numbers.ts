import fc from "fast-check";
import type { JsonSchema } from "#shared/json";
import { closed, integer, list, number, text } from "../contracts.ts";
import { describedObject, frame, names, scalar, word } from "./arbitraries.ts";
import type { Described } from "./arbitraries.ts";
import type { FaultCase, FaultClass } from "./fault-case.ts";

/** Remarks that touch values. */
const REMARKS = ["/* x */", "/**/", "// y\n", "# z\n", "/* 7 */", "// 1, 2\n", "/* a: b, */", "/* “x” */"];

/** Values with comments directly before or behind them. */
const remarks: fc.Arbitrary<FaultCase> = fc
  .record({
    keys: names(1, 4),
    all: fc.array(scalar, { minLength: 4, maxLength: 4 }),
    before: fc.array(fc.constantFrom("", "", ...REMARKS), { minLength: 4, maxLength: 4 }),
    behind: fc.array(fc.constantFrom("", ...REMARKS), { minLength: 4, maxLength: 4 }),
    isListed: fc.boolean(),
    isAsked: fc.boolean(),
    isBareKey: fc.boolean(),
    frame,
  })
  .map(({ keys, all, before, behind, isListed, isAsked, isBareKey, frame: framed }) => {
    const members = keys.map((key, at): [string, Described] => [
      key,
      all[at] ?? { value: 1, schema: integer },
    ]);
    const marked = members.map(([key, { value }], at) => {
      const name = isBareKey ? `${key}:` : `${JSON.stringify(key)}:`;
      return `${isListed ? "" : name}${before[at]}${JSON.stringify(value)}${behind[at]}`;
    });
    const whole = describedObject(members);
    const values = members.map(([, { value }]) => value);
    const items = { type: "array", prefixItems: members.map(([, { schema }]) => schema) };
    return {
      text: framed(isListed ? `[${marked.join(",")}]` : `{${marked.join(",")}}`),
      schema: isAsked ? (isListed ? items : whole.schema) : undefined,
      value: isListed ? values : whole.value,
    };
  });

export const REMARKS_AT_VALUES: FaultClass = { cases: remarks, leastRead: 0.9 };

/** What is no number, and no text either. */
const HALVES = [
  "2e+",
  "2e",
  "2E-",
  "-",
  "+",
  "1.5e",
  "-3e+",
  "0x",
  ".",
  "-.",
  "1.e+",
  "+.5e",
  "12e-",
  "--5",
  "1e+-2",
  "0b",
  "1.2.",
  "-e5",
  "00e",
];

/** Half a number as a value. */
const halfNumbers: fc.Arbitrary<FaultCase> = fc
  .record({
    half: fc.constantFrom(...HALVES),
    key: word,
    place: fc.constantFrom<(half: string, key: string) => string>(
      (half, key) => `{"${key}": ${half}}`,
      (half, key) => `{"${key}": ${half}, "zulu": 1}`,
      (half, key) => `{"zulu": 1, "${key}":${half}\n}`,
      (half, key) => `{${key}: ${half}}`,
      (half) => `[1, ${half}]`,
      (half) => `[${half}, 2]`,
      (half, key) => `{"${key}": [${half}]}`,
      (half, key) => `{"${key}": {"x": ${half}}}`,
    ),
    asked: fc.constantFrom("nothing", "number", "integer"),
    frame,
  })
  .map(({ half, key, place, asked, frame: framed }) => {
    const one = asked === "integer" ? integer : number;
    const said = place(half, key);
    const schema = said.startsWith("[")
      ? list(one)
      : {
          type: "object",
          additionalProperties: { anyOf: [one, list(one), { type: "object", additionalProperties: one }] },
        };
    return { text: framed(said), schema: asked === "nothing" ? undefined : schema, value: undefined };
  });

export const HALF_NUMBERS: FaultClass = { cases: halfNumbers, leastRead: 0 };

/** Marks without anything between them. */
const nonsense: fc.Arbitrary<FaultCase> = fc
  .record({
    marks: fc.array(fc.constantFrom(...";:,.=-+*/#&%$!?~^<>|@ \n".split("")), { minLength: 1, maxLength: 8 }),
    around: fc.constantFrom<readonly [string, string]>(
      ["{", "}"],
      ["[", "]"],
      ["{", ""],
      ["[", ""],
      ["(", ")"],
      ["[{", "}]"],
      ['{"a":', "}"],
    ),
    schema: fc.constantFrom<JsonSchema | undefined>(
      undefined,
      { type: "object" },
      closed({ a: integer }, []),
      list(text),
      { type: "array" },
      closed({ a: integer }),
    ),
    frame,
  })
  .filter(({ marks }) => /[^\s,]/.test(marks.join("")) && !/\/\/|\/\*|#|\.\.\./.test(marks.join("")))
  .map(({ marks, around: [open, close], schema, frame: framed }) => ({
    text: framed(open + marks.join("") + close),
    schema,
    value: undefined,
  }));

export const NONSENSE: FaultClass = { cases: nonsense, leastRead: 0 };
