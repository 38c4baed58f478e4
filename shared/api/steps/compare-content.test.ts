import { describe, expect, it } from "vitest";
import { compareContent } from "./compare-content.ts";

const use = (value: unknown) => [{ name: "prompt", value }];
const usedOf = (sent: unknown, value: unknown): string[] =>
  compareContent(sent, use(value)).used.map(({ path, how }) => `${path} ${how}`);

describe("compareContent", () => {
  it("finds a value wherever it stands, and a short one under its own name alone", () => {
    expect(
      usedOf({ id: "AB-1234", ok: true, colour: "blue" }, { other: "AB-1234", yes: true, tint: "blue" }),
    ).toEqual(["/id whole"]);
    expect(usedOf({ ok: true, colour: "blue" }, { deep: [{ ok: true, colour: "blue" }] })).toEqual([
      "/ok whole",
      "/colour whole",
    ]);
    expect(usedOf({ colour: "blue" }, { text: "the blue vase" })).toEqual([]);
  });

  it("finds an identifier inside a text as a whole word, not as part of another", () => {
    expect(usedOf({ id: "AB-1234" }, { text: "about AB-1234." })).toEqual(["/id whole"]);
    expect(usedOf({ id: "AB-1234" }, { text: "about AB-12345." })).toEqual([]);
  });

  it("says how much of a long text was left, of sentences and of what was cut out", () => {
    const sentences = Array.from({ length: 20 }, (_, n) => `This is the sentence with number ${n}.`);
    const kept = [sentences[3], sentences[9]].join(" ");
    const [part] = compareContent({ text: sentences.join(" ") }, use({ summary: `In short: ${kept}` })).used;
    expect(part).toMatchObject({ path: "/text", how: "part" });
    expect(part?.chars_used).toBe((sentences[3]?.length ?? 0) + (sentences[9]?.length ?? 0));
    const cutOut = compareContent({ text: sentences.join(" ") }, use({ chunk: kept.slice(0, 30) })).used;
    expect(cutOut[0]?.chars_used).toBe(30);
  });

  it("names what was not sent, and escapes pointers", () => {
    const diff = compareContent({ "a/b": "first value" }, use({ x: "first value", "c~d": "second value" }));
    expect(diff).toMatchObject({ unused: [], added: ["/c~0d"], is_partial: false });
    expect(diff.used[0]?.path).toBe("/a~1b");
  });

  it("is bounded, and says where it did not look", () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, `value number ${n}`]));
    const startedMs = performance.now();
    const diff = compareContent(wide, use({ text: "value number 17 ".repeat(60_000) }));
    expect(performance.now() - startedMs).toBeLessThan(2000);
    expect(diff.is_partial).toBe(true);
    expect(diff.unused.length).toBeLessThanOrEqual(200);
  });

  it("takes any value, and none", () => {
    for (const value of [null, undefined, 7, "text", [], {}, [[[]]]])
      expect(compareContent(value, use(value)).is_partial).toBe(false);
    expect(compareContent({ a: 1 }, []).unused).toEqual(["/a"]);
  });
});
