import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Visit } from "../contracts.ts";

test("the labelled set has more than 150 visits that intake accepts, each with an id of its own", () => {
  const lines = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const cases = lines.map((line) => JSON.parse(line));
  expect(cases.length).toBeGreaterThan(150);
  for (const { input } of cases) Visit.schema.parse(input);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
});
