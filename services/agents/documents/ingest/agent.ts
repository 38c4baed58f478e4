import { extname } from "node:path";
import { remoteAgent, serveBeside } from "#shared/a2a";
import type { ServedBeside } from "#shared/a2a";
import { isProgram } from "#shared/blobs";
import { processConfig, tenantOfUser } from "#shared/config";
import { PackageMissingError } from "#shared/errors";
import { FAULTS } from "#shared/files";
import { findMissingIsolation, SandboxUnavailableError } from "#shared/sandbox";
import { DocumentTask, FileRead, ReadDocument } from "../contracts.ts";
import {
  DocumentLengthError,
  DocumentMissingError,
  DocumentTooLargeError,
  DocumentTypeRefusedError,
  DocumentUnreadableError,
} from "../errors.ts";

/**
 * Hands on what files are, as the reader tells: an agent that is served without Redis and keys. It is told which file,
 * and what it answers is a reference into the files of the same tenant.
 *
 * @throws {DocumentMissingError | DocumentLengthError | DocumentTooLargeError | DocumentTypeRefusedError}
 * @throws {DocumentUnreadableError} Each names the field of the task that is wrong.
 */
export const createIngest = (reader: ServedBeside) =>
  remoteAgent("ingest@1", {
    ...reader,
    accepts: DocumentTask,
    answers: FileRead,
    to: { vision: ReadDocument },
    description: "Finds out by its bytes what a file is, and reads its text or its size.",
    capabilities: ["file-reading"],
    // Reading a file is an own process's work, on one processor: a few at a time.
    concurrency: 2,
    costMax: 0,
    pollMs: 100,
    guard: {
      mayCause: [],
      untrusted: { payload: { "/question": "customer" } },
      injection: { reaction: "flag" },
    },
    send: ({ file_references: [file] }, { envelope }) => ({
      sha256: file?.sha256,
      bytes: file?.bytes,
      tenant: tenantOfUser(envelope.user_context.user_id),
    }),
    onAnswer: async ({ content, fault }, ctx, { file_references: [file], question }) => {
      const { code, found } = fault ?? { code: "damaged", found: "" };
      // The contract asks for one file.
      if (content === null || file === undefined)
        throw (
          (await ERRORS[code]?.(found, file?.bytes ?? 0)) ??
          new DocumentUnreadableError(FAULTS.find((one) => one === code) ?? "damaged")
        );
      return ctx.handoff("vision", { file, question, content }, { reason: `a file of ${file.bytes} bytes` });
    },
  });

/** Errors in our words, by the reader's code; what is not here is a fault of the file itself. */
const ERRORS: Readonly<Record<string, (found: string, said: number) => Error | Promise<Error>>> = {
  missing: () => new DocumentMissingError(),
  length: (found, said) => new DocumentLengthError(said, found),
  type: (found) => new DocumentTypeRefusedError(isProgram(found) ? `a program (${found})` : found),
  too_large: (found) => new DocumentTooLargeError(found),
  no_isolation: async () =>
    new SandboxUnavailableError((await findMissingIsolation()) ?? "see the reader's log"),
  no_packages: () => new PackageMissingError(["unpdf", "fast-png", "jpeg-js"]),
};

/** Settings that the reader is given: where files are, how long they are kept, and how they are opened. */
const SETTINGS = "SUTURE_DATA_DIR SUTURE_BLOBS_BYTES_MAX SUTURE_BLOB_HOURS SUTURE_CODE_ISOLATION".split(" ");
const beside = serveBeside(new URL(`reader${extname(import.meta.filename)}`, import.meta.url), SETTINGS);

/** The reader at the configured address, else the one beside this process. */
export const reader: ServedBeside = {
  card: async () => {
    const { readerUrl } = processConfig();
    return readerUrl === null ? beside.card() : `${readerUrl}/.well-known/agent-card.json`;
  },
  headers: async () => {
    const { readerUrl, readerToken } = processConfig();
    return readerUrl === null ? beside.headers() : { authorization: `Bearer ${readerToken?.reveal()}` };
  },
};
