import { agent } from "#shared/runtime";
import { isProgram, SNIFFED_BYTES, sniffType } from "#shared/blobs";
import { READABLE_TYPES, readUntrustedFile } from "#shared/files";
import type { ReadableType } from "#shared/files";
import { DocumentTask, ReadDocument, FILE_BYTES_MAX, PICTURE_BYTES_MAX } from "../contracts.ts";
import type { Content, FileReference } from "../contracts.ts";
import {
  DocumentMissingError,
  DocumentLengthError,
  DocumentTooLargeError,
  DocumentTypeRefusedError,
  DocumentUnreadableError,
} from "../errors.ts";
import { libraryOf, readStored, storePages } from "../library.ts";
import type { Library } from "../library.ts";

const to = { vision: ReadDocument };

/** Reading a file is an own process's work, on one processor: a few at a time. */
const CONCURRENCY = 2;

/** Reads files by reference, and hands on what they are. */
export const createIngest = (library: Library) =>
  agent("ingest@1", {
    accepts: DocumentTask,
    to,
    description: "Finds out by its bytes what a file is, and reads its text or its size.",
    capabilities: ["file-reading"],
    concurrency: CONCURRENCY,
    guard: {
      mayCause: [],
      untrusted: { payload: { "/question": "customer" }, steps: { inspect: "file" } },
      injection: { reaction: "flag" },
    },
    handle: async ({ file_references: [file], question }, ctx) => {
      // The contract asks for one.
      if (file === undefined) throw new DocumentMissingError();
      const content = await ctx.step("inspect", (signal) =>
        inspect(libraryOf(library, ctx.envelope), file, signal),
      );
      return ctx.handoff("vision", { file, question, content }, { reason: `a file of ${file.bytes} bytes` });
    },
  });

/**
 * Finds out by its bytes what a file is, and reads it where no harm can come of it.
 *
 * @throws {DocumentMissingError | DocumentLengthError | DocumentTooLargeError | DocumentTypeRefusedError}
 * @throws {DocumentUnreadableError} Each names the field of the task that is wrong.
 */
async function inspect(library: Library, file: FileReference, signal: AbortSignal): Promise<Content> {
  if (file.bytes > FILE_BYTES_MAX) throw new DocumentTooLargeError(FILE_BYTES_MAX);
  const bytes = await readStored(library, file);
  if (bytes.length !== file.bytes) throw new DocumentLengthError({ said: file.bytes, found: bytes.length });
  if (bytes.length === 0) throw new DocumentUnreadableError("empty");
  const type = typeOf(bytes);
  const isPicture = type === "image/png" || type === "image/jpeg";
  if (isPicture && bytes.length > PICTURE_BYTES_MAX) throw new DocumentTooLargeError(PICTURE_BYTES_MAX);
  const read = await readUntrustedFile({ bytes, type, signal });
  if ("fault" in read) throw new DocumentUnreadableError(read.fault);
  if (read.reading.kind === "pages")
    return {
      kind: "pages",
      pages: await storePages(library, read.reading.pages, signal),
      ocr: read.reading.ocr,
    };
  const { width, height, text, ocr } = read.reading;
  // Only pictures are read as pictures.
  const mime_type = type === "image/png" ? "image/png" : "image/jpeg";
  const stored = text === null ? null : await storePages(library, [text], signal);
  return { kind: "picture", mime_type, width, height, text: stored, ocr };
}

/** @throws {DocumentTypeRefusedError} It is a program, or of a type that is not read. */
function typeOf(bytes: Buffer): ReadableType {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const found = sniffType(head);
  const readable = READABLE_TYPES.find((type) => type === found);
  if (readable !== undefined) return readable;
  // What begins like nothing known is text, or damaged: its reader finds out.
  if (found === null && !head.includes(0)) return "text/plain";
  if (found === null && isWideText(head)) return "text/plain";
  const name = found ?? "application/octet-stream";
  throw new DocumentTypeRefusedError(isProgram(name) ? `a program (${name})` : name);
}

/** Returns true for UTF-16 by its byte order mark. */
function isWideText([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
