import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { FAULTS, ocrFacts } from "#shared/files";

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ "x-locked": true });

const address = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** Content by reference, as `POST /v1/blobs` answers it, with the name that people gave the file. */
export const fileReference = z.object({
  name: sensitive(z.string().min(1).max(200)),
  uri: address.meta({ "x-locked": true }),
  mime_type: z.string().min(1).max(200),
  bytes: z.int().nonnegative(),
  sha256,
});

export type FileReference = z.output<typeof fileReference>;

/** The text of a document, stored as JSON: a list of pages. */
export const pagesReference = z.object({
  uri: address,
  sha256,
  bytes: z.int().positive(),
  pages: z.int().positive(),
  characters: z.int().positive(),
});

export type PagesReference = z.output<typeof pagesReference>;

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

/** A reference that names two contents is no reference. */
const checkReference = ({ uri, sha256: digest }: FileReference, at: string) =>
  uri === `sha256:${digest}`
    ? []
    : [{ path: `${at}/uri`, code: "names_another", message: "uri and sha256 name different contents" }];

/** `unread`: cannot be read. `unclear`: of two kinds or of none. `disputed`: the model and the text differ. */
export const REASON_CODES = [
  "type_unclear",
  "type_disputed",
  "text_unread",
  "not_recognised",
  "not_in_document",
  "not_confirmed",
  "not_stated",
  "doubtful_scan",
] as const;

export const DocumentTask = contract(
  "documents.task@1",
  z.object({
    file_references: z.array(fileReference).length(1),
    question: question.nullable().default(null),
  }),
  {
    description: "One stored file to be read: an invoice, a picture, or a text.",
    check: ({ file_references: files }) =>
      files.flatMap((file, index) => checkReference(file, `/file_references/${index}`)),
    // A broken file is no fault that a machine could mend: a person asks for another.
    onContentError: "quarantine",
  },
);

/** A file's content. Text is stored and travels by reference. */
const content = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("pages"),
    pages: pagesReference,
    /** Null: the text was not read off pictures. */
    ocr: ocrFacts.nullable(),
  }),
  z.object({
    kind: z.literal("picture"),
    mime_type: z.enum(["image/png", "image/jpeg"]),
    width: z.int().positive(),
    height: z.int().positive(),
    /** The text in the picture; null where none could be read. */
    text: pagesReference.nullable(),
    /** Null: no reader has looked at it. */
    ocr: ocrFacts.nullable(),
  }),
]);

export type Content = z.output<typeof content>;

/** Question to the reader: a stored file, its tenant, and its length as the client gave it. */
export const FileToRead = contract(
  "documents.to-read@1",
  z.object({ sha256, bytes: fileReference.shape.bytes, tenant: z.string() }),
);

/** Answer of the reader: the file's content, or the reason why there is none. */
export const FileRead = contract(
  "documents.file@1",
  z.object({
    content: content.nullable(),
    fault: z
      .object({
        code: z.enum([...FAULTS, "missing", "length", "type", "too_large", "no_isolation", "no_packages"]),
        /** The file's length or type. A person reads it, so it has no room for a sentence. */
        found: z.string().regex(/^[\w./+-]{0,100}$/),
      })
      .nullable(),
  }),
);

/** Reason for which a document goes to a person. */
export const reason = z.object({
  code: z.enum(REASON_CODES),
  /** JSON pointer into the result; null: the whole document. */
  path: z.string().max(100).nullable(),
  message: z.string().min(1).max(500),
});

export type Reason = z.output<typeof reason>;

const document = z.object({ file: fileReference, question: question.nullable(), content });

export const ReadDocument = contract("documents.read@2", document, {
  description: "A file whose bytes were read: pages of text, or a picture with the text in it.",
});

export const TaggedDocument = contract(
  "documents.tagged@2",
  document.extend({
    tags: z.array(tag).min(1).max(8),
    description: remark,
    /** Type by content; null where it cannot be told. */
    type: z.enum(DOCUMENT_TYPES).nullable(),
    /** Reasons for which it goes to a person. */
    reasons: z.array(reason).max(8),
  }),
  {
    description: "A file with its tags, its description, and what it is.",
  },
);
