import { z } from "zod";
import { sensitive } from "#shared/contract";

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ "x-locked": true });

/** Content by reference, as `POST /v1/blobs` answers it, with the name that people gave the file. */
export const fileReference = z.object({
  name: sensitive(z.string().min(1).max(200)),
  uri: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .meta({ "x-locked": true }),
  mime_type: z.string().min(1).max(200),
  bytes: z.int().nonnegative(),
  sha256,
});

export type FileReference = z.output<typeof fileReference>;

/** The text of a document, stored as JSON: a list of pages. */
export const pagesReference = z.object({
  uri: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  sha256,
  bytes: z.int().positive(),
  pages: z.int().positive(),
  characters: z.int().positive(),
});

export type PagesReference = z.output<typeof pagesReference>;

/** Types of documents beside invoices that have a name here. */
const NAMED_TYPES = [
  "credit_note",
  "receipt",
  "pro_forma",
  "quote",
  "reminder",
  "order",
  "delivery_note",
  "statement",
  "contract",
  "minutes",
  "cv",
  "newsletter",
  "manual",
  "report",
  "correspondence",
] as const;

/** Types of documents. `other`: a text of none of the kinds that have a name here. */
export const DOCUMENT_TYPES = ["invoice", ...NAMED_TYPES, "other"] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Tags that decide a document's route; `unclear` goes to a person. */
export const ROUTING_TAGS = ["invoice", "photo", "scan", "document", "unclear"] as const;

const TAGS = [
  ...ROUTING_TAGS,
  ...NAMED_TYPES,
  "handwriting",
  "drawing",
  "chart",
  "screenshot",
  "people",
  "landscape",
  "dark",
  "bright",
  "colourful",
  "monochrome",
  "portrait_format",
  "landscape_format",
] as const;

export const tag = z.enum(TAGS).meta({
  "x-synonyms": {
    invoice: ["bill", "rechnung", "facture"],
    photo: ["photograph", "picture", "foto"],
    scan: ["scanned", "scanned page"],
    document: ["text", "paper"],
    monochrome: ["black and white", "greyscale", "grayscale"],
    colourful: ["colorful"],
  },
});

export type Tag = z.output<typeof tag>;

/** Text of a model's own. */
export const remark = z.string().min(1).max(1200).meta({ "x-surgeon-writes": true });

/** Words of a document, verbatim. */
export const quote = sensitive(z.string().min(2).max(400).meta({ "x-locked": true }));

/** Question about a document, in the client's words. */
export const question = z.string().min(1).max(1000).meta({ "x-locked": true });

const MONEY_TYPES = ["invoice", "credit_note", "receipt"] as const;

/** Returns true for kinds from which money may be paid or asked back. */
export function isMoneyType(type: DocumentType | null): type is (typeof MONEY_TYPES)[number] {
  return MONEY_TYPES.some((one) => one === type);
}

/** Bytes of a file, and of a picture, which a model is shown as it is. */
export const FILE_BYTES_MAX = 16 * 1024 * 1024;
export const PICTURE_BYTES_MAX = 5 * 1024 * 1024;
/** Characters of an invoice, which one model step is shown whole. */
export const INVOICE_CHARACTERS_MAX = 24_000;
/** Characters of a document by which it is tagged. */
export const TAGGED_CHARACTERS_MAX = 4000;
/** Characters of a text that are summarised in one go. */
export const CHUNK_CHARACTERS_MAX = 4000;
/**
 * Characters before a chunk that are shown with it, so that a sentence over its edge is seen whole: a
 * quotation's length.
 */
export const LEAD_CHARACTERS_MAX = 400;
/** Chunks of one text: a message leads to at most 1,000 handoffs. Those after them are named as unread. */
export const CHUNKS_MAX = 900;
