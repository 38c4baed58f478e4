import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { findExamples, keepExample } from "./found-examples.ts";

const drawn = (): number[] => {
  const values: number[] = [];
  fc.assert(
    fc.property(fc.nat(), (value) => {
      values.push(value);
    }),
  );
  return values;
};

// Under `npm run fuzz` there is one seed, too.
test("a property draws the same values each time", () => {
  expect(drawn()).toEqual(drawn());
  expect(fc.sample(fc.nat(), 20)).toEqual(fc.sample(fc.nat(), 20));
});

test("a counterexample is kept with whatever values it has, and given to its own property alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "suture-found-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "found.jsonl");
  const place = { file: "a.test.ts", test: "a > b", nth: 1 };
  const values = [JSON.parse('{"__proto__": null}'), new Map([[Number.NaN, 1n]]), "\uD83D", undefined, -0];
  const found = { seed: 1, path: "0:1", values, shown: "…" };
  expect(findExamples(place, file)).toEqual([]);
  keepExample(place, found, file);
  keepExample({ ...place, nth: 2 }, { ...found, values: ["other"] }, file);
  // Values that cannot be written are kept as text for people, and replayed by nobody.
  keepExample(place, { ...found, values: [() => 1] }, file);
  expect(findExamples(place, file)).toEqual([values]);
});
