import { defineError } from "#shared/errors";

/** Concurrent writers won every try. */
export class RecordsBusyError extends defineError({
  code: "PEOPLE_RECORDS_BUSY",
  failureClass: "transient",
  message: "What was to be done could not be written down: other consoles wrote first, every time.",
  remedy: "Try again.",
}) {}
