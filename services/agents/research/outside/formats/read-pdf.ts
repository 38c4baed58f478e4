import { DOCUMENT_LIMITS_DEFAULT } from "../../../documents/limits.ts";
import { readBounded } from "../../../documents/reading/read-bounded.ts";
import { toSource, unreadableSource } from "../read-source.ts";
import type { Source } from "../read-source.ts";

/** Bytes of one PDF. */
export const PDF_BYTES_MAX = DOCUMENT_LIMITS_DEFAULT.bytesMax;

/** A source from a PDF, read in a bounded process of its own. Scanned pages have no text, and are told as unreadable. */
export async function readPdf(sourceId: string, bytes: Uint8Array, signal: AbortSignal): Promise<Source> {
  const read = await readBounded({
    bytes,
    type: "application/pdf",
    limits: DOCUMENT_LIMITS_DEFAULT,
    signal,
  });
  if ("fault" in read) return unreadableSource(sourceId, read.fault);
  if (read.reading.kind !== "pages") return unreadableSource(sourceId, "damaged");
  const pages = read.reading.pages.map((page) => page.trim());
  const [title] = pages.join("\n").split("\n", 1);
  return toSource({ sourceId, title, body: pages.join("\n\n") });
}
