import { describe, expect, test } from "vitest";
import { compact, indent, linesOf, pairLines, readJson, withMissing } from "./json-lines.ts";

const texts = (text: string): string[] => linesOf(readJson(text)).map((line) => line.text);

describe("lines of a value", () => {
  test("keep digits as they were written, and give what cannot be seen as an escape", () => {
    expect(texts('{"a":1.00,"b":[12345678901234567890]}')).toEqual([
      "{",
      '"a": 1.00,',
      '"b": [',
      "12345678901234567890",
      "]",
      "}",
    ]);
    expect(indent('{"name":"\u202eabc"}')).toBe('{\n  "name": "\\u202eabc"\n}');
    expect(indent("no JSON")).toBe("no JSON");
  });

  test("lose nothing when their space is taken away", () => {
    expect(compact('{ "a b" : "x  y" ,\n "a b": 1 }')).toBe('{"a b":"x  y","a b":1}');
  });

  test("have a line at the place of a member that is missing", () => {
    const lines = withMissing(linesOf({ order: { id: 1 } }), ["/amount", "/order/seats", "/order/id"]);
    expect(lines.map(({ pointer, text }) => `${pointer} ${text}`)).toEqual([
      " {",
      '/order "order": {',
      '/order/id "id": 1',
      '/order/seats "seats": missing',
      "/order }",
      '/amount "amount": missing',
      " }",
    ]);
  });

  test("stand beside the same place of the repair, and alone where it has none", () => {
    const pairs = pairLines(linesOf({ old: 1, kept: 2 }), linesOf({ kept: 2, added: 3 }));
    expect(pairs.map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
      ["{", "{"],
      ['"old": 1,', null],
      ['"kept": 2', '"kept": 2,'],
      [null, '"added": 3'],
      ["}", "}"],
    ]);
  });
});
