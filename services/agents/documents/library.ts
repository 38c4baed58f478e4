import { createHash } from "node:crypto";
import { z } from "zod";
import { processBlobs } from "#shared/blobs";
import { tenantOfUser } from "#shared/config";
import type { Context, ReferredImage } from "#shared/runtime";
import { FILE_BYTES_MAX } from "./contracts.ts";
import type { Content, FileReference, PagesReference } from "./contracts.ts";
import { DocumentMissingError } from "./errors.ts";

async function read(
  { envelope }: Pick<Context, "envelope">,
  sha256: string,
  bytesMax: number,
): Promise<Buffer> {
  const files = processBlobs().of(tenantOfUser(envelope.user_context.user_id));
  const bytes = await files.read(sha256, bytesMax);
  if (bytes === null) throw new DocumentMissingError();
  return bytes;
}

/** @throws {DocumentMissingError} The text has reached its age. */
export async function loadPages(
  ctx: Pick<Context, "envelope">,
  { sha256, bytes }: PagesReference,
): Promise<string[]> {
  return z.array(z.string()).parse(JSON.parse((await read(ctx, sha256, bytes)).toString("utf8")));
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
  ctx: Pick<Context, "envelope">,
  { sha256 }: FileReference,
  { mime_type: mimeType }: Extract<Content, { kind: "picture" }>,
): ReferredImage {
  return { sha256, mimeType, read: () => read(ctx, sha256, FILE_BYTES_MAX) };
}
