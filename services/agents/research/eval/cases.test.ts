import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkPayload } from "#shared/contract";
import { Message } from "../contracts.ts";

const expected = z.record(z.string().regex(/^(?:\/[^/]+)+$/), z.unknown());

const caseLine = z.strictObject({
  id: z.string().min(1),
  before: z.array(z.unknown()).default([]),
  input: z.unknown(),
  expect: expected,
  unsure: expected.optional(),
  language: z.string().optional(),
  style: z.string().optional(),
  note: z.string().optional(),
});

test("every labelled case is a task that the team takes, with something to hold its result against", () => {
  const lines = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const cases = lines.map((line) => caseLine.parse(JSON.parse(line)));
  expect(cases.length).toBeGreaterThanOrEqual(100);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  for (const one of cases) {
    for (const task of [...one.before, one.input]) expect(checkPayload(Message, task), one.id).toBeDefined();
    expect(Object.keys(one.expect).length, one.id).toBeGreaterThan(0);
  }
});
