import { defineError } from "#shared/errors";

/** The process that reads files ended for reasons of this machine and not of the file. */
export class ReaderFailedError extends defineError((cause: unknown) => ({
  code: "DOCUMENTS_READER_FAILED",
  failureClass: "transient",
  message: "The process that reads files could not be started, or was ended.",
  remedy: "Look at this machine's processes and memory; the message is tried again.",
  cause,
})) {}
