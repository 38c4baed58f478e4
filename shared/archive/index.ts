export { ArchiveUnavailableError } from "./errors.ts";
export { openArchive } from "./open-archive.ts";
export type { Archive } from "./open-archive.ts";
