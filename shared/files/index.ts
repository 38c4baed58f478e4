export { ReaderFailedError } from "./errors.ts";
export { findLetters } from "./find-letters.ts";
export { FILE_LIMITS_DEFAULT } from "./limits.ts";
export type { FileLimits } from "./limits.ts";
export { DOUBT_MARK, ocrFacts, READABLE_TYPES } from "./reading.ts";
export type { Fault, ReadableType } from "./reading.ts";
export { readUntrustedFile } from "./read-untrusted-file.ts";
