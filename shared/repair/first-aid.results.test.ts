import { describe, expect, test } from "vitest";
import { firstAid } from "./index.ts";

const PAIR = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};

describe("a result", () => {
  test("costs nothing and has no notes where the value is valid, however odd it looks", () => {
    const odd = `{"s": " **yes** ", "n": -0.0, "u": ["", null]}`;
    const value = { s: " **yes** ", n: -0, u: ["", null] };
    expect(firstAid(odd, { type: "object" })).toEqual({ ok: true, value, cost: 0, notes: [], unused: [] });
  });

  test("names what was left out", () => {
    expect(firstAid(`{"a": "x", "z": 1}`, PAIR)).toMatchObject({ ok: true, unused: ["/z"] });
  });

  test("says that the text is cut and the complete part kept", () => {
    const result = firstAid(`{"a": "some te`);
    expect(result).toMatchObject({ ok: true, value: { a: "some te" } });
    expect(result.notes.map((note) => note.step)).toContain("cut_string");
  });

  test("charges a step at every item of a list once", () => {
    const rows = JSON.stringify(Array.from({ length: 500 }, () => ({ a: 1 })));
    expect(firstAid(rows, { type: "array", items: PAIR })).toMatchObject({ ok: true, cost: 2 });
  });
});
