import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { tool } from "./define-tool.ts";
import { mendCall, readArguments } from "./read-calls.ts";

const pay = tool("pay", {
  description: "Pays an order.",
  input: z.strictObject({
    order: z.string(),
    amount: z.number().optional(),
    tags: z.array(z.string()).optional(),
    urgent: z.boolean().optional(),
  }),
  output: z.null(),
  effect: "write",
  call: () => null,
});

/** Returns the input with which a call of these arguments runs; undefined where nothing runs. */
function runsWith(text: string, one = pay): unknown {
  const read = readArguments(mendCall({ name: one.name, arguments: text }, [one]).arguments);
  return read === undefined || "issues" in one.prepare(read) ? undefined : read;
}

const WHOLE = { order: "A-1", amount: 40, tags: ["x", "y"] };
const JSON_TEXT = JSON.stringify(WHOLE);

describe("arguments of a call", () => {
  it.each([
    ["as they are", JSON_TEXT],
    ["written twice", JSON.stringify(JSON_TEXT)],
    ["written three times", JSON.stringify(JSON.stringify(JSON_TEXT))],
    ["fenced", `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ["written twice in a fence", `\`\`\`\n${JSON.stringify(JSON_TEXT)}\n\`\`\``],
    ["fenced, written twice", JSON.stringify(`\`\`\`json\n${JSON_TEXT}\n\`\`\``)],
    ["in Python's quotes", "{'order': 'A-1', 'amount': 40, 'tags': ['x', 'y']}"],
    ["with a comma at the end", '{"order":"A-1","amount":40,"tags":["x","y",],}'],
    ["with a number as text", '{"order":"A-1","amount":"40","tags":["x","y"]}'],
    ["with a list as text", '{"order":"A-1","amount":40,"tags":"[\\"x\\",\\"y\\"]"}'],
  ])("are used %s", (_, text) => {
    expect(runsWith(text)).toEqual(WHOLE);
  });

  it.each([
    ["a line break within", '{"order":"A\n1"}', { order: "A\n1" }],
    ["nothing said", "", undefined],
    ["True of Python", "{'order': 'Ä', 'urgent': True}", { order: "Ä", urgent: true }],
  ])("may have %s", (_, text, expected) => {
    expect(runsWith(text)).toEqual(expected);
  });

  it.each([
    ["cut after a member", '{"order":"A-1"'],
    ["cut in a text", '{"order":"A-1","tags":["x'],
    ["cut in a number", '{"order":"A-1","amount":4'],
    ["cut after a comma", '{"order":"A-1",'],
    ["cut in a list", '{"order":"A-1","tags":["x"'],
    ["cut, written twice", JSON.stringify('{"order":"A-1","tags":["x"')],
    ["cut in a text within", '{"order":"A-1","tags":"[\\"x\\",\\"y\\""}'],
    ["cut in a fence", '```json\n{"order":"A-1"\n```'],
    ["two orders", '{"order":"A-1"}{"order":"B-2"}'],
    ["one order twice", '{"order":"A-1"}{"order":"A-1"}'],
    ["one name with two values", '{"order":"A-1","order":"B-2"}'],
    ["a member too many", '{"order":"A-1","dry_run":true}'],
    ["words before", `Do not do this yet: ${JSON_TEXT}`],
    ["words after", `${JSON_TEXT} but only if the customer agrees`],
    ["thoughts before", `<think>or B-2?</think>${JSON_TEXT}`],
    ["another tool's name", `{"name":"refuse","arguments":${JSON_TEXT}}`],
    ["a unit that the tool does not know", '{"order":"A-1","amount":"40 USD"}'],
    ["a remark", '{"order":"A-1" /* not before Monday */}'],
    ["a closer too many", `${JSON_TEXT}}`],
    ["a closer of another sort", '{"order":"A-1","tags":["x"}}'],
    ["a list", `[${JSON_TEXT}]x`],
    ["too much", JSON.stringify({ order: "x".repeat(40_000) })],
    ["an endless nesting", "[".repeat(20_000)],
  ])("run nothing with %s", (_, text) => {
    expect(runsWith(text)).toBeUndefined();
  });

  const note = tool("note", {
    description: "Notes anything.",
    input: z.object({ text: z.string(), more: z.record(z.string(), z.unknown()).optional() }),
    output: z.null(),
    effect: "write",
    call: () => null,
  });
  const words = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom("{", "}", "[", "]", '"', ":", ",", "'", "\\", "n", " ", "1", "a"),
    }),
  );
  const given = fc.record(
    { text: words, more: fc.dictionary(words, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }) },
    { requiredKeys: ["text"] },
  );

  it("never run when they were cut, wherever, and however they were written", () => {
    fc.assert(
      fc.property(given, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), (value, share, form) => {
        const whole = JSON.stringify(value);
        const cut = whole.slice(0, Math.floor(share * (whole.length - 1)));
        const written = [cut, JSON.stringify(cut), `\`\`\`json\n${cut}`][form] ?? cut;
        expect(runsWith(written, note)).toBeUndefined();
      }),
      { seed: 28, numRuns: 3000 },
    );
  });

  it("are the same when they were written twice", () => {
    fc.assert(
      fc.property(given, (value) => {
        // As JSON has it: no negative zero.
        const whole = JSON.stringify(value);
        fc.pre(!whole.includes("__proto__"));
        expect(runsWith(JSON.stringify(whole), note)).toEqual(JSON.parse(whole));
      }),
      { seed: 28, numRuns: 300 },
    );
  });
});
