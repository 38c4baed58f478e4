export { DOUBT_MARK, FILE_LIMITS_DEFAULT, ocrFacts, READABLE_TYPES, ReaderFailedError } from "./reading.ts";
export type { Fault, FileLimits, ReadableType } from "./reading.ts";
export { findLetters, readUntrustedFile } from "./read-untrusted-file.ts";
