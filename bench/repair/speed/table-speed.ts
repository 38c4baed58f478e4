import type { Table } from "../../print-table.ts";
import type { SpeedRow } from "./measure.ts";

const rounded = (value: number | null, digits: number): string =>
  value === null ? "" : value.toFixed(digits);

/** Times by fault, all together first. */
export function tableSpeed(rows: readonly SpeedRow[]): Table {
  return {
    title: "time of first aid on typical answers of some 2 KB, µs, median over the texts",
    rows: [
      ["fault", "texts", "chars", "no contract", "jsonrepair", "ratio", "contract"],
      ...rows.map((row) => [
        row.fault,
        String(row.texts),
        rounded(row.chars, 0),
        rounded(row.without_schema_us, 1),
        rounded(row.jsonrepair_us, 1),
        rounded(row.ratio_to_jsonrepair, 2),
        rounded(row.with_schema_us, 1),
      ]),
    ],
  };
}
