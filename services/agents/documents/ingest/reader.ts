import { Readable } from "node:stream";
import { servedAgent } from "#shared/a2a/served";
import { processBlobs, SNIFFED_BYTES, sniffType } from "#shared/blobs";
import type { LocalBlobs } from "#shared/blobs";
import { processConfig } from "#shared/config";
import type { ContractOutput } from "#shared/contract";
import { PackageMissingError } from "#shared/errors";
import { READABLE_TYPES, readUntrustedFile } from "#shared/files";
import type { ReadableType } from "#shared/files";
import { SandboxUnavailableError, setCodeIsolation } from "#shared/sandbox";
import { FILE_BYTES_MAX, FileRead, FileToRead, PICTURE_BYTES_MAX } from "../contracts.ts";
import type { PagesReference } from "../contracts.ts";

type Answer = ContractOutput<typeof FileRead>;

/** Reads strangers' files: without Redis, keys and model; each is decoded in a sandbox, away from the others. */
export default servedAgent("reader@1", {
  accepts: FileToRead,
  answers: FileRead,
  description: "Finds out by its bytes what a stored file is, and reads its text or its size.",
  handle: async ({ sha256, bytes: said, tenant }, { signal }): Promise<Answer> => {
    setCodeIsolation(processConfig().codeIsolation);
    const files = processBlobs().of(tenant);
    if (said > FILE_BYTES_MAX) return refuse("too_large", `${FILE_BYTES_MAX}`);
    const bytes = await files.read(sha256, FILE_BYTES_MAX);
    if (bytes === null) return refuse("missing");
    if (bytes.length !== said) return refuse("length", `${bytes.length}`);
    if (bytes.length === 0) return refuse("empty");
    const { type, found } = typeOf(bytes);
    if (type === null) return refuse("type", found);
    const isPicture = type === "image/png" || type === "image/jpeg";
    if (isPicture && bytes.length > PICTURE_BYTES_MAX) return refuse("too_large", `${PICTURE_BYTES_MAX}`);
    const read = await readUntrustedFile({ bytes, type, signal }).catch((error: unknown) => {
      if (error instanceof SandboxUnavailableError) return { fault: "no_isolation" } as const;
      if (error instanceof PackageMissingError) return { fault: "no_packages" } as const;
      throw error;
    });
    if ("fault" in read) return refuse(read.fault);
    const { reading } = read;
    if (reading.kind === "pages") {
      const pages = await storePages(files, reading.pages, signal);
      return { content: { kind: "pages", pages, ocr: reading.ocr }, fault: null };
    }
    // Only pictures are read as pictures.
    const mime_type = type === "image/png" ? "image/png" : "image/jpeg";
    const text = reading.text === null ? null : await storePages(files, [reading.text], signal);
    return { content: { ...reading, mime_type, text }, fault: null };
  },
});

function refuse(code: NonNullable<Answer["fault"]>["code"], found = ""): Answer {
  return { content: null, fault: { code, found } };
}

/** Stores a document's text, so that it is read out of the file once and travels as a reference. */
export async function storePages(
  files: LocalBlobs,
  pages: readonly string[],
  signal: AbortSignal,
): Promise<PagesReference> {
  const text = Buffer.from(JSON.stringify(pages));
  const { sha256, bytes } = await files.store({
    content: Readable.from([text]),
    mimeType: "application/json",
    bytesMax: text.length,
    signal,
  });
  const characters = pages.reduce((sum, page) => sum + page.length, 0);
  return { uri: `sha256:${sha256}`, sha256, bytes, pages: pages.length, characters };
}

const UTF16_MARK = /^(?:\xff\xfe|\xfe\xff)/;

/** The type by its bytes; null where it is not read. */
function typeOf(bytes: Buffer): { readonly type: ReadableType | null; readonly found: string } {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const found = sniffType(head);
  // Bytes of no known type are text, or damaged, which decoding shows.
  const isText = found === null && (!head.includes(0) || UTF16_MARK.test(head.toString("latin1")));
  const type = isText ? "text/plain" : (READABLE_TYPES.find((one) => one === found) ?? null);
  return { type, found: found ?? "application/octet-stream" };
}
