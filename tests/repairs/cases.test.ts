import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import { firstAid } from "#shared/repair";
import type { RefusalCode } from "#shared/repair";

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

test.each(cases)("$rule", ({ text, schema, cut, value, refusal, candidates }) => {
  const result = firstAid(
    text,
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
