import type { Table } from "../print-table.ts";
import type { WireRow } from "./measure.ts";
import type { FormFigures } from "./time-forms.ts";

const HEAD = ["payload", "form", "bytes", "of JSON", "write us", "of JSON", "read us", "of JSON"];

/** Bytes and microseconds of each form, and beside them what part of JSON's that is. */
export function tableWire(rows: readonly WireRow[]): Table[] {
  return [
    {
      title: "one sealed message between clusters",
      rows: [HEAD, ...rows.flatMap((row) => linesOf(row, row.sealed))],
    },
    {
      title: "one open envelope, all its values in the form",
      rows: [HEAD, ...rows.flatMap((row) => linesOf(row, row.open))],
    },
  ];
}

function linesOf(row: WireRow, forms: Readonly<Record<string, FormFigures>>): string[][] {
  const { json } = forms;
  const size = `${row.payload_bytes / 1024} KB${row.is_stored_packed ? " (stored as gzip)" : ""}`;
  return Object.entries(forms).map(([name, own]) => {
    const part = (figure: keyof FormFigures): string =>
      json === undefined ? "" : `${(own[figure] / json[figure]).toFixed(2)}x`;
    return [
      size,
      name,
      String(own.bytes),
      part("bytes"),
      own.encode_us.toFixed(1),
      part("encode_us"),
      own.decode_us.toFixed(1),
      part("decode_us"),
    ];
  });
}
