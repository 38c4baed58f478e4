export type { BlobFacts, BlobStore, BlobToStore } from "./blob-store.ts";
export {
  BlobDamagedError,
  BlobsFullError,
  BodyTooLargeError,
  BlobTypeMismatchError,
  BlobTypeRefusedError,
} from "./errors.ts";
export { LocalBlobs } from "./local-blobs.ts";
export { isProgram, SNIFFED_BYTES, sniffType } from "./sniff-type.ts";
