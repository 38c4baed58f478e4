import { defineRefusal } from "#shared/http";

/** The content exceeds the maximum blob size. */
export class BodyTooLargeError extends defineRefusal((bytesMax: number) => ({
  code: "BODY_TOO_LARGE",
  status: 413,
  message: `The content has more than ${bytesMax} bytes.`,
  remedy: "Send less at a time: a smaller picture, or a document in parts.",
})) {}

/** The blob folder is full, or a tenant has its share of it. */
export class BlobsFullError extends defineRefusal((bytesMax: number) => ({
  code: "BLOBS_FULL",
  status: 503,
  message: `The stored blobs would take more than ${bytesMax} bytes, or more than their tenant's share of them; nothing was stored.`,
  remedy:
    "Raise SUTURE_BLOBS_BYTES_MAX or SUTURE_TENANT_SHARE, or lower SUTURE_BLOB_HOURS; blobs also go by age.",
  retryAfterMs: 60_000,
  // The rest of the content is not read.
  headers: { connection: "close" },
})) {}

/** Blobs of this type, such as programs, are refused, whatever the declared type. */
export class BlobTypeRefusedError extends defineRefusal((type: string) => ({
  code: "BLOB_TYPE_REFUSED",
  status: 415,
  message: `The content is ${type} by its bytes, which is not stored.`,
  remedy: "Send documents, pictures and data; programs have to go another way.",
  issues: [{ path: "/content-type", code: "type_refused", message: `the bytes are ${type}` }],
})) {}

/** The bytes are of another type than declared. */
export class BlobTypeMismatchError extends defineRefusal(
  (types: { readonly said: string; readonly found: string }) => ({
    code: "BLOB_TYPE_MISMATCH",
    status: 415,
    message: `The content is sent as ${types.said} and is ${types.found} by its bytes; nothing was stored.`,
    remedy: "Send the type that the bytes have, or application/octet-stream to have it found.",
    issues: [{ path: "/content-type", code: "type_mismatch", message: `the bytes are ${types.found}` }],
  }),
) {}

/** The stored bytes no longer match their digest, and are not returned. */
export class BlobDamagedError extends defineRefusal((sha256: string) => ({
  code: "BLOB_DAMAGED",
  status: 503,
  message: `The content stored under ${sha256} has changed and is not given out.`,
  remedy: "Store the right content again, which mends it, and look at the disk.",
})) {}
