import { expect, it } from "vitest";
import { measureAgreement } from "./agreement.ts";
import type { Opinions } from "./agreement.ts";

const times = (count: number, label: Opinions["label"], judge: Opinions["judge"]): Opinions[] =>
  Array.from({ length: count }, () => ({ label, judge }));

it("counts by label and verdict, and how often both say the same", () => {
  const opinions = [
    ...times(5, "right", "right"),
    ...times(1, "right", "wrong"),
    ...times(2, "wrong", "right"),
    ...times(2, "wrong", "wrong"),
  ];
  const { right, of, table } = measureAgreement(opinions);
  expect({ right, of }).toEqual({ right: 7, of: 10 });
  expect(table).toEqual({ right: { right: 5, wrong: 1 }, wrong: { right: 2, wrong: 2 } });
});

it("gives no share without opinions", () => {
  expect(measureAgreement([])).toMatchObject({ share: null });
});
