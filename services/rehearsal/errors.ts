import { errorClass } from "#shared/errors";

/** The sandbox's journal has a damaged line. */
export const JournalDamagedError = errorClass("REHEARSAL_JOURNAL_DAMAGED", (line: number) => ({
  failureClass: "handler_error",
  severity: "fatal",
  message: `Line ${line} of the sandbox's journal cannot be read.`,
  remedy: "Move sandbox.jsonl out of the data folder, or correct that line, and start again.",
}));
