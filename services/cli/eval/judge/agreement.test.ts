import { expect, it } from "vitest";
import { measureAgreement } from "./agreement.ts";
import type { Opinions } from "./agreement.ts";

const times = (count: number, label: Opinions["label"], judge: Opinions["judge"]): Opinions[] =>
  Array.from({ length: count }, () => ({ label, judge }));

it("tells agreement beyond chance", () => {
  // Worked by hand: observed 0.7, by chance 0.6 · 0.7 + 0.4 · 0.3 = 0.54, so 0.16 / 0.46.
  const opinions = [
    ...times(5, "right", "right"),
    ...times(1, "right", "wrong"),
    ...times(2, "wrong", "right"),
    ...times(2, "wrong", "wrong"),
  ];
  const { right, of, kappa, table } = measureAgreement(opinions);
  expect({ right, of }).toEqual({ right: 7, of: 10 });
  expect(kappa).toBeCloseTo(0.16 / 0.46);
  expect(table).toEqual({ right: { right: 5, wrong: 1 }, wrong: { right: 2, wrong: 2 } });
});

it("gives no kappa where both always say the same word, which shows nothing", () => {
  expect(measureAgreement(times(9, "right", "right"))).toMatchObject({ share: 1, kappa: null });
  expect(measureAgreement([])).toMatchObject({ share: null, kappa: null });
});

it("is 0 for a judge that says right to everything", () => {
  const opinions = [...times(6, "right", "right"), ...times(4, "wrong", "right")];
  expect(measureAgreement(opinions).kappa).toBeCloseTo(0);
});
