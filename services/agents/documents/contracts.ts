import { z } from "zod";
import { contract } from "#shared/contract";
import { fileReference, pagesReference, question, remark, tag } from "./contract-fields.ts";
import type { FileReference } from "./contract-fields.ts";

/** A reference that names two contents is no reference. */
const checkReference = ({ uri, sha256 }: FileReference, at: string) =>
  uri === `sha256:${sha256}`
    ? []
    : [{ path: `${at}/uri`, code: "names_another", message: "uri and sha256 name different contents" }];

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
  z.object({ kind: z.literal("pages"), pages: pagesReference }),
  z.object({
    kind: z.literal("picture"),
    mime_type: z.enum(["image/png", "image/jpeg"]),
    width: z.int().positive(),
    height: z.int().positive(),
  }),
]);

export type Content = z.output<typeof content>;

const document = z.object({ file: fileReference, question: question.nullable(), content });

/** A file whose content was read. */
export const ReadDocument = contract("documents.read@1", document, {
  description: "A file whose bytes were read: pages of text, or a picture.",
});

/** A tagged file, for the agent of its kind. */
export const TaggedDocument = contract(
  "documents.tagged@1",
  document.extend({ tags: z.array(tag).min(1).max(8), description: remark }),
  { description: "A file with its tags and its description." },
);
