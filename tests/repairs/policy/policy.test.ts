import { describe, expect, test } from "vitest";
import { firstAid } from "#shared/repair";
import { POLICY } from "./policy.ts";

describe.each(Object.entries(POLICY))("the policy of first aid: %s", (_, rows) => {
  test.each(rows)("$rule", ({ text, schema, expected }) => {
    const result = firstAid(text, schema);
    if ("refusal" in expected) expect(result).toMatchObject({ ok: false, code: expected.refusal });
    else expect(result.ok && result.value).toEqual(expected.value);
  });

  test("has no rule twice", () => {
    expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
  });
});
