export { BodyTooLargeError, BlobTypeMismatchError, BlobTypeRefusedError } from "./errors.ts";
export { LocalBlobs } from "./local-blobs.ts";
export { processBlobs } from "./process-blobs.ts";
export { isProgram, SNIFFED_BYTES, sniffType } from "./sniff-type.ts";
