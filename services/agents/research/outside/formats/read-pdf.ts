import { readUntrustedFile } from "#shared/files";
import { toSource, unreadableSource } from "../read-source.ts";
import type { Source } from "../read-source.ts";

/** Bytes of one PDF. */
export const PDF_BYTES_MAX = 16 * 1024 * 1024;

/**
 * A source from a PDF, read in a sandbox. What cannot be read, such as scanned pages, is told as unreadable.
 *
 * @throws what `readUntrustedFile` throws.
 */
export async function readPdf(sourceId: string, bytes: Uint8Array, signal: AbortSignal): Promise<Source> {
  const read = await readUntrustedFile({ bytes, type: "application/pdf", signal, letters: {} });
  if ("fault" in read) return unreadableSource(sourceId, read.fault);
  const pages = read.reading.kind === "pages" ? read.reading.pages.map((page) => page.trim()) : [];
  const [title] = pages.join("\n").split("\n", 1);
  return toSource({ sourceId, title, body: pages.join("\n\n") });
}
