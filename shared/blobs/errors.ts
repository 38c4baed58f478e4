import { RequestRefusedError } from "#shared/http";

/** The content is longer than one blob may be. */
export class BodyTooLargeError extends RequestRefusedError {
  constructor(bytesMax: number) {
    super({
      code: "BODY_TOO_LARGE",
      status: 413,
      message: `The content has more than ${bytesMax} bytes.`,
      remedy: "Send less at a time: a smaller picture, or a document in parts.",
    });
  }
}

/** The folder of blobs holds as much as it may. */
export class BlobsFullError extends RequestRefusedError {
  constructor(bytesMax: number) {
    super({
      code: "BLOBS_FULL",
      status: 503,
      message: `The stored blobs would take more than ${bytesMax} bytes; nothing was stored.`,
      remedy: "Raise SUTURE_BLOBS_BYTES_MAX or lower SUTURE_BLOB_HOURS; blobs also go by age.",
      retryAfterMs: 60_000,
    });
  }
}

/** The bytes are of a type that is not stored, whatever the sender calls them: programs, say. */
export class BlobTypeRefusedError extends RequestRefusedError {
  constructor(type: string) {
    super({
      code: "BLOB_TYPE_REFUSED",
      status: 415,
      message: `The content is ${type} by its bytes, which is not stored.`,
      remedy: "Send documents, pictures and data; programs have to go another way.",
      issues: [{ path: "/content-type", code: "type_refused", message: `the bytes are ${type}` }],
    });
  }
}

/** The bytes are of another type than the sender says. */
export class BlobTypeMismatchError extends RequestRefusedError {
  constructor(types: { readonly said: string; readonly found: string }) {
    super({
      code: "BLOB_TYPE_MISMATCH",
      status: 415,
      message: `The content is sent as ${types.said} and is ${types.found} by its bytes; nothing was stored.`,
      remedy: "Send the type that the bytes have, or application/octet-stream to have it found.",
      issues: [{ path: "/content-type", code: "type_mismatch", message: `the bytes are ${types.found}` }],
    });
  }
}

/** The stored bytes are no longer those that were stored under this digest. None of them is given out as whole. */
export class BlobDamagedError extends RequestRefusedError {
  constructor(sha256: string) {
    super({
      code: "BLOB_DAMAGED",
      status: 503,
      message: `The content stored under ${sha256} has changed and is not given out.`,
      remedy: "Store the right content again, which mends it, and look at the disk.",
    });
  }
}
