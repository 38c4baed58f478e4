import { deflateSync } from "node:zlib";

/** A piece of text on a page, in points from the lower left. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
}

/** Writes a PDF of A4 pages with a text layer in one font. Latin letters only. */
export function writePdf(pages: readonly (readonly Placed[])[]): Buffer {
  const objects: Buffer[] = [];
  const add = (content: string | Buffer): number => {
    objects.push(Buffer.isBuffer(content) ? content : Buffer.from(content, "latin1"));
    return objects.length;
  };
  const catalog = add("");
  const tree = add("");
  const font = add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  const kids = pages.map((page) => {
    const stream = deflateSync(Buffer.from(page.map(draw).join("\n"), "latin1"));
    const content = add(
      Buffer.concat([
        Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`, "latin1"),
        stream,
        Buffer.from("\nendstream", "latin1"),
      ]),
    );
    const resources = `<< /Font << /F1 ${font} 0 R >> >>`;
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${content} 0 R >>`,
    );
  });
  objects[catalog - 1] = Buffer.from(`<< /Type /Catalog /Pages ${tree} 0 R >>`);
  const list = kids.map((kid) => `${kid} 0 R`).join(" ");
  objects[tree - 1] = Buffer.from(`<< /Type /Pages /Kids [${list}] /Count ${kids.length} >>`);
  return assemble(objects, catalog);
}

function assemble(objects: readonly Buffer[], catalog: number): Buffer {
  const parts = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    const written = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(written);
    at += written.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** In Windows-1252 the euro sign is a byte of its own. */
function draw({ x, y, size, text }: Placed): string {
  const escaped = text
    .replaceAll("€", "\x80")
    .replaceAll("–", "\x96")
    .replaceAll(/[\\()]/g, (char) => `\\${char}`);
  return `BT /F1 ${size} Tf ${x} ${y} Td (${escaped}) Tj ET`;
}

/** Rows of cells, each cell at its column's place. */
export function layTable(
  rows: readonly (readonly string[])[],
  at: {
    readonly columns: readonly number[];
    readonly y: number;
    readonly size: number;
    readonly step: number;
  },
): Placed[] {
  return rows.flatMap((row, index) =>
    row.flatMap((text, column) =>
      text === "" ? [] : [{ x: at.columns[column] ?? 50, y: at.y - index * at.step, size: at.size, text }],
    ),
  );
}
