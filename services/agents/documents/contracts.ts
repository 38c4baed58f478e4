import { z } from "zod";
import { contract } from "#shared/contract";
import { ocrFacts } from "#shared/files";
import { DOCUMENT_TYPES, fileReference, pagesReference, question, remark, tag } from "./contract-fields.ts";
import type { FileReference } from "./contract-fields.ts";

/** A reference that names two contents is no reference. */
const checkReference = ({ uri, sha256 }: FileReference, at: string) =>
  uri === `sha256:${sha256}`
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
  "ambiguous",
  "doubtful_scan",
] as const;

/** The task: one stored file and a question about it. */
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

/** Reason for which a document goes to a person. */
export const reason = z.object({
  code: z.enum(REASON_CODES),
  /** JSON pointer into the result; null: the whole document. */
  path: z.string().max(100).nullable(),
  message: z.string().min(1).max(500),
});

export type Reason = z.output<typeof reason>;

const document = z.object({ file: fileReference, question: question.nullable(), content });

/** A file whose content was read. */
export const ReadDocument = contract("documents.read@2", document, {
  description: "A file whose bytes were read: pages of text, or a picture with the text in it.",
});

/** A tagged file, for the agent of its kind. */
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
