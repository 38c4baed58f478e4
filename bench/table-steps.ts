import type { Table } from "./print-table.ts";

/** A row: its label, the figure it shows, and the number of decimals. */
export type FigureRow<Figures> = readonly [string, (figures: Figures) => number | null, number];

/** Returns a table with a column for each step, and beside every step but the first its ratio to the first. */
export function tableSteps<Figures>(
  title: string,
  steps: readonly Figures[],
  {
    rows,
    headOf,
  }: { readonly rows: readonly FigureRow<Figures>[]; readonly headOf: (step: Figures) => string },
): Table[] {
  const [first, ...later] = steps;
  if (first === undefined) return [];
  const format = (figure: number | null, decimals: number): string => figure?.toFixed(decimals) ?? "";
  const cells = rows.map(([label, of, decimals]) => {
    const base = of(first);
    const columns = later.flatMap((step) => {
      const figure = of(step);
      const ratio = figure === null || base === null ? null : figure / base;
      return [format(figure, decimals), format(ratio, 2)];
    });
    return [label, format(base, decimals), ...columns];
  });
  return [
    { title, rows: [["", headOf(first), ...later.flatMap((step) => [headOf(step), "ratio"])], ...cells] },
  ];
}
