import { z } from "zod";

/** Stands behind a word with a digit that was read off a picture with little confidence. Nothing is paid by it. */
export const DOUBT_MARK = "[?]";

/** Facts of an OCR pass. */
export const ocrFacts = z.object({
  /** Languages by which it was read, as Tesseract names them. Empty: no reader is installed. */
  languages: z.array(z.string().max(20)).max(20),
  /** Pages whose text was read off a picture, from 1. */
  pages: z.array(z.int().positive()),
  /** Pages with a picture and no text that could be read, or that there was no time for. */
  unread: z.array(z.int().positive()),
  words: z.int().nonnegative(),
  /** Words read with enough confidence. */
  trusted: z.int().nonnegative(),
  /** Words with a digit that were not: they are marked in the text. */
  doubtful: z.int().nonnegative(),
});

export type OcrFacts = z.output<typeof ocrFacts>;

/** Result of reading a file in the child: its pages as text, or a picture's size in pixels and the text in it. */
const reading = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("pages"), pages: z.array(z.string()), ocr: ocrFacts.nullable() }),
  z.object({
    kind: z.literal("picture"),
    width: z.int().positive(),
    height: z.int().positive(),
    /** Null: the picture has no text that could be read. */
    text: z.string().nullable(),
    ocr: ocrFacts,
  }),
]);

export type Reading = z.output<typeof reading>;

/** Reasons for which a file cannot be read. */
export const FAULTS = [
  "empty",
  "damaged",
  "encrypted",
  "without_text",
  "scan_unread",
  "too_many_pixels",
  "too_many_pages",
  "too_much_text",
  "too_much_memory",
  "too_slow",
] as const;

export type Fault = (typeof FAULTS)[number];

/** Answer of the child, written to file descriptor 3. */
export const childAnswer = z.union([z.object({ reading }), z.object({ fault: z.enum(FAULTS) })]);

export type ChildAnswer = z.output<typeof childAnswer>;

/** Exit code of a child whose optional packages are not installed. */
export const PACKAGES_MISSING = 3;

/** Thrown by a reader in the child for a file that cannot be read. Never leaves the child as an error. */
export class FaultError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}

/** Types of files that can be read. */
export const READABLE_TYPES = [
  "application/pdf",
  "application/xml",
  "text/plain",
  "image/png",
  "image/jpeg",
] as const;

export type ReadableType = (typeof READABLE_TYPES)[number];

/** Command-line argument of the child. */
export interface ChildTask extends Omit<FileLimits, "readMs" | "memoryBytesMax"> {
  readonly type: ReadableType;
  /** Files of letters, gzipped, as a JSON object by language. Empty: no reader is installed. */
  readonly letters: Readonly<Record<string, string>>;
}

/** Bounds of reading one file. All inclusive. */
export const FILE_LIMITS_DEFAULT = {
  /** Pixels of a picture, by its own word and in truth. */
  pixelsMax: 40_000_000,
  /** Pages of a document. */
  pagesMax: 600,
  /** Characters of all pages. */
  charactersMax: 2_000_000,
  /** Time in which a file has to be read, in milliseconds. */
  readMs: 45_000,
  /** Time after which no further page is read off a picture of it, in milliseconds. Such pages are named as unread. */
  ocrMs: 25_000,
  /** Pixels of a picture that text is read off. */
  ocrPixelsMax: 12_000_000,
  /** Resident memory of the process that reads it. */
  memoryBytesMax: 768 * 1024 * 1024,
};

export type FileLimits = Readonly<typeof FILE_LIMITS_DEFAULT>;
