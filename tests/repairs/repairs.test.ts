import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import { firstAid } from "#shared/repair";
import type { RefusalCode } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import { closed, integer, text } from "./contracts.ts";
import { DIALECT_EXAMPLES, DIALECT_VALUE } from "./dialect-examples.ts";
import { POLICY } from "./policy/policy.ts";

/** A text that was once read wrongly or refused, with its only value or the reason why it has none. */
interface KeptCase {
  readonly rule: string;
  readonly text: string;
  /** Index in the file's first line. Absent: read without a contract. */
  readonly schema?: number;
  readonly cut?: "refuse";
  readonly value?: JsonValue;
  readonly refusal?: RefusalCode;
  readonly candidates?: readonly JsonValue[];
}

const [first = "[]", ...lines] = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
// Written by hand, in the form of `KeptCase`.
const schemas = JSON.parse(first) as readonly JsonSchema[];
const cases = lines.map((line) => JSON.parse(line) as KeptCase);

test.each(cases)("$rule", ({ text: answer, schema, cut, value, refusal, candidates }) => {
  const result = firstAid(
    answer,
    schema === undefined ? undefined : schemas[schema],
    cut === undefined ? {} : { cut },
  );
  if (refusal === undefined) expect(result.ok && result.value).toEqual(value);
  else
    expect(result).toMatchObject({
      ok: false,
      code: refusal,
      ...(candidates !== undefined && { candidates }),
    });
});

const ADDRESS = closed({ city: text, zip: integer });

describe.each(Object.entries(DIALECT_EXAMPLES))("first aid reads dialects: %s", (_, examples) => {
  test.each(examples)("$dialect", ({ text: answer }) => {
    expect(firstAid(answer, ADDRESS)).toMatchObject({ ok: true, value: DIALECT_VALUE });
  });
});

describe.each(Object.entries(POLICY))("the policy of first aid: %s", (_, rows) => {
  test.each(rows)("$rule", ({ text: answer, schema, expected }) => {
    const result = firstAid(answer, schema);
    if ("refusal" in expected) expect(result).toMatchObject({ ok: false, code: expected.refusal });
    else expect(result.ok && result.value).toEqual(expected.value);
  });

  test("has no rule twice", () => {
    expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
  });
});
