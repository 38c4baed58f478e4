import type { Table } from "../../print-table.ts";
import type { HostileRow, HostileSettings } from "./measure.ts";

/** The times by size, with how they grow from the last size but one to the last: as the text does, or less. */
export function tableHostile(rows: readonly HostileRow[], { sizes }: HostileSettings): Table[] {
  const heads = sizes.map((size) => `${Math.round(size / 1024)} KB ms`);
  const lines = rows.map((row) => {
    const [last = 0, before = 0] = row.cpu_ms.toReversed();
    return [
      row.text,
      ...row.cpu_ms.map((ms) => ms.toFixed(1)),
      `${(last / Math.max(before, 0.1)).toFixed(1)}x`,
      ((row.steps.at(-1) ?? 0) / 1e6).toFixed(1),
      row.schema,
      row.result,
    ];
  });
  const head = ["", ...heads, "growth", "M steps", "contract", "result"];
  const honest = lines.filter((_, index) => rows[index]?.is_honest === true);
  const hostile = lines.filter((_, index) => rows[index]?.is_honest !== true);
  return [
    {
      title: "CPU time of first aid on large honest texts, under the contract that takes longest",
      rows: [head, ...honest],
    },
    { title: "the same on hostile texts, worst first", rows: [head, ...hostile] },
  ];
}
