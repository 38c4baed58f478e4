import fc from "fast-check";
import { expect, test } from "vitest";

const drawn = (): number[] => {
  const values: number[] = [];
  fc.assert(
    fc.property(fc.nat(), (value) => {
      values.push(value);
    }),
  );
  return values;
};

test("a property draws the same values each time", () => {
  expect(drawn()).toEqual(drawn());
  expect(fc.sample(fc.nat(), 20)).toEqual(fc.sample(fc.nat(), 20));
});
