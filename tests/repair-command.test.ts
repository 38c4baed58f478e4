import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCli } from "./support/run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-repair-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const schema = fileOf(
  "schema.json",
  JSON.stringify({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { id: { $ref: "#/$defs/id" }, lines: { type: "array", prefixItems: [{ type: "integer" }] } },
    required: ["id"],
    additionalProperties: false,
    $defs: { id: { type: "integer" } },
  }),
);
const TEXT = `Sure!\n{'id': "7", 'lines': ["2"], "extra": 12}`;

test("prints the value alone, and what was changed with its rule and piece of the text on standard error", async () => {
  const answer = await runCli(["repair", "--schema", schema, fileOf("damaged.txt", TEXT)]);
  expect(answer).toMatchObject({ code: 0, stdout: '{"id":7,"lines":[2]}\n' });
  const rows = answer.stderr
    .trim()
    .split("\n")
    .map((row) => row.split(/ {2,}/));
  expect(rows).toEqual(
    expect.arrayContaining([
      ["value", "rule", "in the text", "at"],
      ["/id", "text_to_number", "7", "2:9"],
      ["/lines/0", "text_to_number", "2", "2:24"],
      ["the whole text", "odd_quotes"],
      ["unused: extra", "not_declared", "12", "2:38"],
    ]),
  );
});

test("names the reason and the candidates of a refusal, with exit code 2 and no output", async () => {
  const file = fileOf("two.txt", '{"id": 1}\n\nor\n\n{"id": 2}');
  const { code, stdout, stderr } = await runCli(["repair", "--schema", schema, file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.trim().split("\n")).toEqual([
    "ambiguous: Two repairs are about equally plausible.",
    'candidate: {"id":1}',
    'candidate: {"id":2}',
  ]);
  const whole = await runCli(["repair", "--json", "--schema", schema, file]);
  expect(whole).toMatchObject({ code: 2, stderr: "" });
  expect(JSON.parse(whole.stdout)).toMatchObject({
    ok: false,
    code: "ambiguous",
    candidates: [{ id: 1 }, { id: 2 }],
  });
});

test("shows no character that a terminal would act on, and bounds what it lists", async () => {
  const rows = JSON.stringify(Array.from({ length: 80 }, (_, at) => ({ n: `${at}` })));
  const list = fileOf(
    "list.json",
    '{"items": {"properties": {"n": {"type": "integer"}, "t": {"type": "string"}}}}',
  );
  const many = await runCli(["repair", "--schema", list, fileOf("many.txt", rows)]);
  expect(many.stderr.trim().split("\n")).toHaveLength(52);
  expect(many.stderr).toContain("30 more");
  const hostile = await runCli([
    "repair",
    fileOf("hostile.txt", `{"a": 1,} 12 "\u001B[31m\u202E" ${"x".repeat(5000)}`),
  ]);
  expect(`${hostile.stdout}${hostile.stderr}`).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(hostile.stderr.length).toBeLessThan(2000);
});
