import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkPayload } from "#shared/contract";
import { Message } from "../contracts.ts";

const caseLine = z.strictObject({
  id: z.string().min(1),
  input: z.unknown(),
  expect: z.record(z.string().regex(/^(?:\/[^/]+)+$/), z.unknown()),
});

test("every labelled case is a task that the team takes, with something to hold its result against", () => {
  const lines = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const cases = lines.map((line) => caseLine.parse(JSON.parse(line)));
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  for (const one of cases) {
    expect(checkPayload(Message, one.input), one.id).toBeDefined();
    expect(Object.keys(one.expect).length, one.id).toBeGreaterThan(0);
  }
});
