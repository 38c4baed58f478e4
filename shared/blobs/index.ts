export { BodyTooLargeError, BlobTypeMismatchError, BlobTypeRefusedError } from "./errors.ts";
export { LocalBlobs, processBlobs } from "./local-blobs.ts";
export { isProgram, SNIFFED_BYTES, sniffType } from "./sniff-type.ts";
