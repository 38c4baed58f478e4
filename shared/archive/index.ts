export { ArchiveDb } from "./archive-db.ts";
export { ArchiveFormatError, ArchiveUnavailableError } from "./errors.ts";
export { openArchive } from "./open-archive.ts";
export type { Archive } from "./open-archive.ts";
export { RunMover } from "./move-runs.ts";
