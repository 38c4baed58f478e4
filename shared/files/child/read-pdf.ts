import { encode as encodePng } from "fast-png";
import { extractImages, getDocumentProxy } from "unpdf";
import { FaultError } from "../reading.ts";
import type { ChildTask, OcrFacts } from "../reading.ts";
import { looksWritten, readPictures, layLines } from "./read-pictures.ts";
import type { ReadPictures, PlacedText } from "./read-pictures.ts";

interface ReadPdf {
  readonly pages: string[];
  readonly ocr: OcrFacts | null;
}

/** Reads the text of each page: its text layer, else what can be read off the pictures on it. */
export async function readPdf(bytes: Buffer, task: ChildTask): Promise<ReadPdf> {
  const document = await open(bytes);
  if (document.numPages > task.pagesMax) throw new FaultError("too_many_pages");
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = layLines(items.flatMap((item) => ("str" in item ? [placed(item)] : [])));
    characters += lines.length;
    if (characters > task.charactersMax) throw new FaultError("too_much_text");
    pages.push(lines);
    page.cleanup();
  }
  const scanned = pages.flatMap((page, index) => (page.trim() === "" ? [index + 1] : []));
  const read = scanned.length === 0 ? null : await readScanned(document, scanned, task);
  if (scanned.length === pages.length && (read === null || read.ocr.pages.length === 0))
    throw new FaultError(read === null ? "without_text" : "scan_unread");
  scanned.forEach((number, index) => (pages[number - 1] = read?.pages[index] ?? ""));
  return { pages, ocr: read?.ocr ?? null };
}

type Pdf = Awaited<ReturnType<typeof open>>;

/** Reads pages that are pictures. A page with neither text nor picture is empty. Null: all of them are. */
async function readScanned(
  document: Pdf,
  numbers: readonly number[],
  task: ChildTask,
): Promise<ReadPictures | null> {
  const pictures = numbers.map((number) => () => pictureOf(document, number, task.ocrPixelsMax));
  const read = await readPictures(pictures, task);
  const named = (places: readonly number[]): number[] => places.map((place) => numbers[place - 1] ?? place);
  const { pages, unread } = read.ocr;
  if (pages.length + unread.length === 0) return null;
  return {
    pages: read.pages,
    ocr: {
      ...read.ocr,
      pages: named(pages),
      unread: named(unread),
    },
  };
}

/** The largest picture of a page, as PNG; null where it has none. */
async function pictureOf(
  document: Pdf,
  number: number,
  pixelsMax: number,
): Promise<Uint8Array | null | "not_written"> {
  const images = await extractImages(document, number);
  const [largest] = images.toSorted((a, b) => b.width * b.height - a.width * a.height);
  if (largest === undefined) return null;
  const { width, height, channels, data } = largest;
  if (width * height > pixelsMax || !looksWritten(largest)) return "not_written";
  return encodePng({ width, height, channels, data: new Uint8Array(data) });
}

async function open(bytes: Buffer): Promise<Awaited<ReturnType<typeof getDocumentProxy>>> {
  try {
    // Half a file is no document: what a repair of its table of objects would find is not all of it.
    if (!bytes.subarray(-TAIL_BYTES).includes("%%EOF")) throw new FaultError("damaged");
    return await getDocumentProxy(new Uint8Array(bytes), {
      stopAtErrors: true,
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
    });
  } catch (error) {
    if (error instanceof FaultError) throw error;
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new FaultError(isLocked ? "encrypted" : "damaged");
  }
}

const TAIL_BYTES = 2048;

function placed(item: {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}): PlacedText {
  const [, , , , x = 0, y = 0] = item.transform;
  return { text: item.str, x, y, width: item.width, height: item.height };
}
