import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CodeTask } from "../contracts.ts";

interface LabelledCase {
  readonly id: string;
  readonly input: { readonly checkout: string };
  readonly expect: Readonly<Record<string, string>>;
}

test("the cases of the evaluation are the samples and the archives, with the status that is expected", () => {
  const lines = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const cases = lines.map((line): LabelledCase => JSON.parse(line));
  const samples = readdirSync(new URL("../samples/checkouts", import.meta.url));
  const archives = readdirSync(new URL("checkouts", import.meta.url));
  const labelled = archives.map((name) => name.replace(/\.txtar$/, ""));
  expect(cases.map(({ input }) => input.checkout).toSorted()).toEqual([...samples, ...labelled].toSorted());
  for (const { id, input, expect: expected } of cases) {
    expect(CodeTask.schema.safeParse(input).success).toBe(true);
    if (id.startsWith("sample-")) continue;
    const text = readFileSync(new URL(`checkouts/${id}.txtar`, import.meta.url), "utf8");
    expect(text).toContain(`expect: ${expected["/status"] ?? ""}\n`);
  }
});
