/** Values in which parts are made, for one decade. */
export const E12: readonly number[] = [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2];
const E24: readonly number[] = [
  1, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2, 2.2, 2.4, 2.7, 3, 3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2,
  9.1,
];

/** The series E96 of resistors of one per cent: three digits of equal ratios. */
const E96: readonly number[] = Array.from(
  { length: 96 },
  (_, step) => Math.round(100 * 10 ** (step / 96)) / 100,
);

/** Returns true for a value in which resistors are made. */
export function isResistor(ohms: number): boolean {
  return isOfSeries(ohms, E24) || isOfSeries(ohms, E96);
}

export function isOfSeries(value: number, series: readonly number[]): boolean {
  const decade = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return series.some(
    (one) => Math.abs(value / decade - one) < 1e-6 || Math.abs(value / decade - one * 10) < 1e-6,
  );
}
