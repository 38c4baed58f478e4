import { describe, expect, test } from "vitest";
import { firstAid } from "#shared/repair";
import { DIALECT_EXAMPLES, DIALECT_VALUE } from "./dialect-examples.ts";
import { closed, integer, text } from "./contracts.ts";

const ADDRESS = closed({ city: text, zip: integer });

describe.each(Object.entries(DIALECT_EXAMPLES))("first aid reads dialects: %s", (_, examples) => {
  test.each(examples)("$dialect", ({ text: answer }) => {
    expect(firstAid(answer, ADDRESS)).toMatchObject({ ok: true, value: DIALECT_VALUE });
  });
});
