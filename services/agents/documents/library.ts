import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { z } from "zod";
import type { BlobFacts, LocalBlobs } from "#shared/blobs";
import { tenantOfUser } from "#shared/config";
import type { Envelope } from "#shared/envelope";
import type { Context, ReferredImage } from "#shared/runtime";
import { FILE_BYTES_MAX } from "./contracts.ts";
import type { Content, FileReference, PagesReference } from "./contracts.ts";
import { DocumentMissingError } from "./errors.ts";

/** Store of the team's files. */
export interface Library {
  /** Asked when needed, so that the team's graph needs no configuration. */
  readonly blobs: () => LocalBlobs;
}

/** Returns the library with the files of the run's tenant. */
export function libraryOf(library: Library, { user_context }: Pick<Envelope, "user_context">): Library {
  return { ...library, blobs: () => library.blobs().of(tenantOfUser(user_context.user_id)) };
}

/** @throws {DocumentMissingError} Nothing is stored under the reference. */
export async function readStored(library: Library, file: { readonly sha256: string }): Promise<Buffer> {
  const bytes = await library.blobs().read(file.sha256, FILE_BYTES_MAX);
  if (bytes === null) throw new DocumentMissingError();
  return bytes;
}

/** Stores a document's text, so that it is read out of the file once and travels as a reference. */
export async function storePages(
  library: Library,
  pages: readonly string[],
  signal: AbortSignal,
): Promise<PagesReference> {
  const text = Buffer.from(JSON.stringify(pages));
  const facts: BlobFacts = await library.blobs().store({
    content: Readable.from([text]),
    mimeType: "application/json",
    bytesMax: text.length,
    signal,
  });
  const characters = pages.reduce((sum, page) => sum + page.length, 0);
  const { sha256, bytes } = facts;
  return { uri: `sha256:${sha256}`, sha256, bytes, pages: pages.length, characters };
}

const pagesSchema = z.array(z.string());

/** @throws {DocumentMissingError} The text has reached its age. */
export async function loadPages(library: Library, reference: PagesReference): Promise<string[]> {
  const bytes = await library.blobs().read(reference.sha256, reference.bytes);
  if (bytes === null) throw new DocumentMissingError();
  return pagesSchema.parse(JSON.parse(bytes.toString("utf8")));
}

/**
 * Asks a model about a file once for the same content, over all runs. The key holds a digest of all that a model is
 * shown: the file's own is not enough, as a producer that sends messages past ingest may name one file and the text of
 * another.
 *
 * @param step - With the edition of its prompt: another prompt asks anew.
 */
export function askOnce<Answer>(
  ctx: Pick<Context, "once">,
  { step, file, content }: { readonly step: string; readonly file: FileReference; readonly content: Content },
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const shown = JSON.stringify([file.sha256, content]);
  const key = `${step}:${createHash("sha256").update(shown).digest("hex")}`;
  // Asking again does no harm: an answer that was paid for is on this message's record.
  const reconcile = (): Promise<{ readonly done: false }> => Promise.resolve({ done: false });
  return ctx.once(key, ask, { scope: "agent", reconcile });
}

/** Returns the reference of a content's text; null for a picture in which none could be read. */
export function textOf(content: Content): PagesReference | null {
  return content.kind === "pages" ? content.pages : content.text;
}

/** The picture for a model's eyes; read when the model is asked. */
export function pictureOf(
  library: Library,
  file: FileReference,
  { mime_type: mimeType }: Extract<Content, { kind: "picture" }>,
): ReferredImage {
  return { sha256: file.sha256, mimeType, read: () => readStored(library, file) };
}
