export { DOUBT_MARK, FAULTS, FILE_LIMITS_DEFAULT, ocrFacts, READABLE_TYPES } from "./reading.ts";
export type { Fault, FileLimits, ReadableType } from "./reading.ts";
export { findLetters, readUntrustedFile, ReaderFailedError } from "./read-untrusted-file.ts";
