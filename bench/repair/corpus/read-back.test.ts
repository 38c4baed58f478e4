import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { makeCorpus } from "./make-corpus.ts";

const javascript = (text: string): unknown =>
  JSON.parse(JSON.stringify(runInNewContext(`(${text})`, { ISODate: String, NumberInt: Number })));

const json = (text: string): unknown => JSON.parse(text);

/** How a reader of the notation itself reads a damaged text, for the kinds that have one at hand. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "JavaScript literal": javascript,
  "JavaScript template strings": javascript,
  "digit separators": javascript,
  "JSON5 numbers": javascript,
  "Mongo shell": javascript,
  "texts joined by a plus sign": javascript,
  "comments that touch values": javascript,
  "block comments": javascript,
  "trailing commas": javascript,
  "names without quotes": javascript,
  "escaped apostrophes": javascript,
  "YAML block": parse,
  "YAML flow": parse,
  "YAML with quotes": parse,
  "YAML document with marks and comments": parse,
  "percent-encoding": (text) => json(decodeURIComponent(text)),
  "form field": (text) => json(new URLSearchParams(text).get("payload") ?? ""),
  "JSON in a JSON string": (text) => json(String(json(text))),
  "escaped quotes without a string around": (text) => json(String(json(`"${text}"`))),
  "JSON quoted as CSV": (text) => json(text.slice(1, -1).replaceAll('""', '"')),
  "lines of a diff": (text) => json(text.replaceAll(/^\+/gm, "")),
};

describe("damaged texts of the corpus", () => {
  const cases = makeCorpus({ seed: 5, perKind: 6 }).filter(({ kinds }) => kinds.length === 1);

  test.each(Object.entries(READERS))("%s: its own reader finds the right value", (kind, read) => {
    const some = cases.filter(({ kinds }) => kinds[0] === kind);
    expect(some.length).toBeGreaterThan(0);
    for (const { input, right } of some) expect({ value: read(input) }).toEqual(right);
  });
});
