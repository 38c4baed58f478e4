import { codeOf, defineError } from "#shared/errors";

/** PostgreSQL did not answer, or refused. What has not moved is still in Redis. */
export class ArchiveUnavailableError extends defineError((cause: unknown) => ({
  code: "ARCHIVE_UNAVAILABLE",
  failureClass: "unavailable",
  message: `The archive in PostgreSQL cannot be used now (${codeOf(cause)}).`,
  remedy: "Retry when the PostgreSQL that SUTURE_ARCHIVE_URL names answers; nothing that was kept is lost.",
  cause,
})) {}

/** A newer release has written this archive. */
export class ArchiveFormatError extends defineError((found: number, known: number) => ({
  code: "ARCHIVE_FORMAT",
  failureClass: "unsupported_version",
  message: `The archive has format ${found}, and this release knows ${known}.`,
  remedy: "Run the release that wrote it, or a later one.",
})) {}
