import type { Table } from "../print-table.ts";
import type { WireFigures, WireRow } from "./measure.ts";
import { FORMS } from "./measure.ts";

/** Bytes and microseconds of each form, and beside them what part of JSON's that is. */
export function tableWire(rows: readonly WireRow[]): Table[] {
  const head = ["payload", "form", "bytes", "of JSON", "write us", "of JSON", "read us", "of JSON"];
  const lines = rows.flatMap((row) =>
    FORMS.map((form) => {
      const [own, json] = [row.forms[form], row.forms.json];
      const part = (figure: keyof WireFigures): string => `${(own[figure] / json[figure]).toFixed(2)}x`;
      const size = `${row.payload_bytes / 1024} KB${row.is_stored_packed ? " (stored as gzip)" : ""}`;
      return [
        size,
        form,
        String(own.bytes),
        part("bytes"),
        own.encode_us.toFixed(1),
        part("encode_us"),
        own.decode_us.toFixed(1),
        part("decode_us"),
      ];
    }),
  );
  return [{ title: "one sealed message between clusters, in three forms", rows: [head, ...lines] }];
}
