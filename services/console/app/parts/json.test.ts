import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { describe, expect, test } from "vitest";
import { compact, indent, placesOf } from "./json.ts";

describe("text of a value", () => {
  test("keeps digits as they were written, and gives what cannot be seen as an escape", () => {
    expect(indent('{"a":1.00, "b": [12345678901234567890, {}], "c, d": []}').split("\n")).toEqual([
      "{",
      '  "a": 1.00,',
      '  "b": [',
      "    12345678901234567890,",
      "    {}",
      "  ],",
      '  "c, d": []',
      "}",
    ]);
    expect(indent('{"name":"\u202eabc"}')).toBe('{\n  "name": "\\u202eabc"\n}');
    expect(indent("no JSON")).toBe("no JSON");
  });

  test("loses nothing when its space is taken away", () => {
    expect(compact('{ "a b" : "x  y" ,\n "a b": 1 }')).toBe('{"a b":"x  y","a b":1}');
  });

  test("has a place for each value, with its name", () => {
    const doc = '{"order": {"id": 1, "a/b": [true, null]}}';
    const state = EditorState.create({ doc, extensions: [json()] });
    const found = placesOf(state).map(({ pointer, from, node }) => [pointer, doc.slice(from, node.to)]);
    expect(found).toEqual([
      ["", doc],
      ["/order", '"order": {"id": 1, "a/b": [true, null]}'],
      ["/order/id", '"id": 1'],
      ["/order/a~1b", '"a/b": [true, null]'],
      ["/order/a~1b/0", "true"],
      ["/order/a~1b/1", "null"],
    ]);
  });
});
