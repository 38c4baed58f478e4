import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { temporaryFolder } from "#shared/testing";
import { readCases } from "./cases.ts";
import { holds, readPointer, verdictOf, comparePaired, toQuantiles, toShare } from "./trial.ts";
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
    ['{"id":"b","input":{"text":"a"},"expect":{"/a":{}}}', /cases\.jsonl:2 \/expect\/~1a: /],
    ['{"id":"b c","input":{"text":"a"},"expect":{"/a":1}}', /cases\.jsonl:2 \/id: must be/],
    [
      '{"id":"b","input":{"text":"a"},"expect":{"/a":1},"lable":1}',
      /cases\.jsonl:2 \/lable: this field is not part/,
    ],
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

describe("a share of cases", () => {
  it.each([
    // Published values: Newcombe 1998 (a), table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %i in %i has Wilson's interval", (right, of, low, high) => {
    const share = toShare(right, of);
    expect(share.low).toBeCloseTo(low, 4);
    expect(share.high).toBeCloseTo(high, 4);
  });

  it("lies within its interval, which is never empty and never leaves 0 to 1", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (right, wrong) => {
        const { share, low, high } = toShare(right, right + wrong);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThan(low);
        if (share !== null) expect(low <= share && share <= high).toBe(true);
      }),
    );
  });
});

describe("two ways to do the same cases", () => {
  it.each([
    // One case from the bound of 5 % on either side: 2 · 0.5^6, 2 · 0.5^5, and 2 · 11 · 0.5^10.
    [6, 0, true],
    [5, 0, false],
    [9, 1, true],
    [2000, 2000, false],
    [0, 0, false],
  ])("differ or not where %i cases are right in one alone, %i in the other", (one, other, isSeen) => {
    for (const [onlyFirst, onlySecond] of [[one, other] as const, [other, one] as const])
      expect(comparePaired({ both: 40, onlyFirst, onlySecond, neither: 0 }).isSeen).toBe(isSeen);
  });
});

it("takes quantiles by the nearest rank", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(toQuantiles(hundred)).toEqual({ p50: 50, p95: 95, p99: 99 });
  expect(toQuantiles([7])).toEqual({ p50: 7, p95: 7, p99: 7 });
  expect(toQuantiles([])).toBeNull();
});
