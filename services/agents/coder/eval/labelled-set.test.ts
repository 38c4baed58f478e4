import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CodeTask } from "../contracts.ts";
import { labelledSet } from "./labelled-set.ts";

interface LabelledCase {
  readonly id: string;
  readonly input: { readonly checkout: string; readonly issue: string };
  readonly expect: Readonly<Record<string, string>>;
}

const CASES = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): LabelledCase => JSON.parse(line));

test("the cases of the evaluation are the samples and the labelled set, with the status that is expected", () => {
  const samples = CASES.filter(({ id }) => id.startsWith("sample-"));
  expect(samples).toHaveLength(5);
  expect(CASES.slice(samples.length)).toEqual(
    labelledSet().map(({ name, report, expect: status }) => ({
      id: name,
      input: { checkout: name, issue: report, rounds_max: 3 },
      expect: { "/status": status },
    })),
  );
  for (const { input } of CASES) expect(CodeTask.schema.safeParse(input).success).toBe(true);
});

test("the set has at least 100 checkouts, each with a bug, tests that the team never sees, and no mark left in its code", () => {
  const all = labelledSet();
  expect(all.length).toBeGreaterThanOrEqual(100);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { files, hidden, report, expect: status } of all) {
    expect([...files.values()].join("")).not.toMatch(/[«¦»]/);
    expect({ files: files.size > 1, hidden: hidden.size > 0, report: report.length > 10 }).toEqual({
      files: true,
      hidden: true,
      report: true,
    });
    expect(["accepted", "unproven", "cannot_tell"]).toContain(status);
  }
});
