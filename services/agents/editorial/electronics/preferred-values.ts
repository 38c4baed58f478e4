/** Values in which parts are made, for one decade. */
export const E12: readonly number[] = [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2];
export const E24: readonly number[] = [
  1, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2, 2.2, 2.4, 2.7, 3, 3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2,
  9.1,
];

/** Every value of a series between two bounds, ascending. */
export function valuesBetween(
  series: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  const first = Math.floor(Math.log10(from));
  const last = Math.ceil(Math.log10(to));
  const decades = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  const values = decades.flatMap((decade) => series.map((value) => Number((value * decade).toPrecision(3))));
  return values.filter((value) => value >= from && value <= to);
}

export function isOfSeries(value: number, series: readonly number[]): boolean {
  const decade = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return series.some(
    (one) => Math.abs(value / decade - one) < 1e-6 || Math.abs(value / decade - one * 10) < 1e-6,
  );
}
