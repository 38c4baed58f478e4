import { defineError } from "#shared/errors";

/** The folder or the search service of the sources cannot be read, or holds more than may be read. */
export class LibraryUnavailableError extends defineError((problem: string, cause?: unknown) => ({
  code: "RESEARCH_LIBRARY_UNAVAILABLE",
  failureClass: "transient",
  message: `The sources cannot be searched: ${problem}.`,
  remedy: "Look at what SUTURE_SOURCES or SUTURE_SOURCES_URL names; the message is tried again.",
  cause,
})) {}

/** A report's board has no brief: it was forgotten while the run waited. */
export class BriefMissingError extends defineError({
  code: "RESEARCH_BRIEF_MISSING",
  failureClass: "handler_error",
  severity: "fatal",
  message: "The report's board is empty: its brief is gone.",
  remedy: "Replay the run from the message to `report`; a board is kept for a week after its last write.",
}) {}
