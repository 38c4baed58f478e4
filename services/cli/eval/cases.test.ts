import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { temporaryFolder } from "#shared/testing";
import { readCases } from "./cases.ts";
import { holds, readPointer, verdictOf } from "./trial.ts";
import type { Trial } from "./trial.ts";

const Note = contract("note@1", z.object({ text: z.string().min(1) }));

async function read(...lines: readonly string[]) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "eval"));
  writeFileSync(join(folder, "letter.txt"), "Dear help desk");
  writeFileSync(join(folder, "eval", "cases.jsonl"), `${lines.join("\n")}\n`);
  const { cases, files } = await readCases(folder, Note);
  expect(files.size).toBe(cases.filter(({ id }) => id === "f").length);
  return cases;
}

const good = (id: string): string => JSON.stringify({ id, input: { text: "a" }, expect: { "/kind": "a" } });

describe("a labelled set", () => {
  it("is read line by line, empty lines left out", async () => {
    const cases = await read(good("a"), "", good("b"));
    expect(cases.map(({ id }) => id)).toEqual(["a", "b"]);
    expect([...(cases[0]?.expect ?? [])]).toEqual([["/kind", "a"]]);
  });

  it.each([
    ["{", /cases\.jsonl:2: is not JSON/],
    ['{"id":"b","input":{"text":"a","text":"b"},"expect":{"/a":1}}', /cases\.jsonl:2: .*a name twice/],
    ['{"id":"b","expect":{"/a":1}}', /cases\.jsonl:2 \/input: is missing/],
    ['{"id":"b","input":{"text":""},"expect":{"/a":1}}', /cases\.jsonl:2 \/input\/text: .*note@1/],
    [
      '{"id":"b","before":[{"text":"a"},{}],"input":{"text":"a"},"expect":{"/a":1}}',
      /before\/1\/text: .*note@1/,
    ],
    ['{"id":"b","input":{"text":"a"},"expect":{}}', /cases\.jsonl:2 \/expect: expects nothing/],
    ['{"id":"b","input":{"text":"a"},"expect":{"a":1}}', /cases\.jsonl:2 \/expect: "a" is no JSON pointer/],
    ['{"id":"b","input":{"text":"a"},"expect":{"/a":{}}}', /cases\.jsonl:2 \/expect\/\/a: /],
    ['{"id":"b c","input":{"text":"a"},"expect":{"/a":1}}', /cases\.jsonl:2 \/id: must be/],
    ['{"id":"b","input":{"text":"a"},"expect":{"/a":1},"lable":1}', /cases\.jsonl:2 \/lable: is no field/],
    [good("a"), /cases\.jsonl:2 \/id: a is also in .*cases\.jsonl:1/],
  ])("is refused by file, line and field: %s", async (line, message) => {
    await expect(read(good("a"), line)).rejects.toThrow(message);
  });

  it("is refused where there is none, or it is empty", async () => {
    await expect(readCases("/nowhere", Note)).rejects.toThrow(/no labelled set/);
    await expect(read("")).rejects.toThrow(/holds no case/);
  });

  it("names files of its team, and has their references in their places", async () => {
    const naming = (name: string): string =>
      JSON.stringify({ id: "f", input: { text: "a", file: { $file: name } }, expect: { "/kind": "a" } });
    const [only] = await read(naming("letter.txt"));
    expect(only?.input).toMatchObject({
      file: { name: "letter.txt", uri: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), bytes: 14 },
    });
    await expect(read(naming("../letter.txt"))).rejects.toThrow(/cases\.jsonl:1 \/input: There is no file/);
  });
});

describe("how a trial came out", () => {
  const trialOf = async (result: unknown, failure: Trial["failure"] = null): Promise<Trial> => {
    const [one] = await read(
      '{"id":"a","input":{"text":"a"},"expect":{"/kind":"a"},"unsure":{"/status":"unclear"},"language":"de"}',
    );
    if (one === undefined) throw new Error("the set holds a case");
    const contender = { name: "x", description: "", team: {}, judged: null, against: null };
    return { contender, case: one, result, failure } as unknown as Trial;
  };

  it.each([
    ["right", { kind: "a", status: "unclear" }],
    ["unsure", { kind: "b", status: "unclear" }],
    ["wrong", { kind: "b", status: "done" }],
  ])("is %s", async (verdict, result) => {
    expect(verdictOf(await trialOf(result))).toBe(verdict);
  });

  it("is failed without a result", async () => {
    expect(verdictOf(await trialOf(null, { class: "timeout", code: "" }))).toBe("failed");
  });
});

describe("what is expected of a result", () => {
  const result = { kind: "a", "a/b": { "~": [{ n: 0.1 + 0.2 }] }, none: null };

  it("is found by JSON pointer", () => {
    expect(readPointer(result, "/a~1b/~0/0/n")).toBeCloseTo(0.3);
    expect(readPointer(result, "/constructor/name")).toBeUndefined();
    expect(readPointer(result, "/kind/length")).toBeUndefined();
  });

  it("is held where it is the same, a number but for rounding, and null where there is nothing", () => {
    expect(holds(result, "/kind", "a")).toBe(true);
    expect(holds(result, "/kind", "A")).toBe(false);
    expect(holds(result, "/a~1b/~0/0/n", 0.3)).toBe(true);
    expect(holds(result, "/a~1b/~0/0/n", 0.31)).toBe(false);
    expect(holds(result, "/a~1b/~0/0/n", "0.3")).toBe(false);
    expect(holds(result, "/none", null)).toBe(true);
    expect(holds(result, "/nowhere", null)).toBe(true);
    expect(holds(result, "/kind", null)).toBe(false);
  });
});
