import type { Readable } from "node:stream";

/** Metadata of a blob. */
export interface BlobFacts {
  /** SHA-256 of the content, 64 hex digits: the blob's id. */
  readonly sha256: string;
  readonly bytes: number;
  /** Detected from the bytes, else as its first sender declared. */
  readonly mime_type: string;
}

export interface BlobToStore {
  readonly content: Readable;
  readonly mimeType: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** Content-addressed storage. Equal content is stored once; storing it again replaces a damaged copy. */
export interface BlobStore {
  /** The store of one tenant. A digest finds only that tenant's blobs, so that knowing a digest gives no access. */
  of(tenant: string): BlobStore;
  /**
   * @throws {BodyTooLargeError} More than `bytesMax`. {BlobsFullError} There is no room. {BlobTypeRefusedError} A
   * program. {BlobTypeMismatchError} The bytes are of another type than is said. Nothing is kept of it then.
   */
  store(blob: BlobToStore): Promise<BlobFacts>;
  /** Deletes expired blobs. */
  retire(): Promise<void>;
  /**
   * The whole content. @param id - 64 hex digits. @returns null where nothing is kept under it.
   *
   * @throws {BodyTooLargeError} More than `bytesMax`. {BlobDamagedError} The bytes are not those of the id any more.
   */
  read(id: string, bytesMax: number): Promise<Buffer | null>;
  /**
   * The content as a stream that is hashed while it is read; it fails with BlobDamagedError, before its last bytes,
   * where they are not those of the id any more. A short content is checked before.
   *
   * @param id - 64 hex digits. @returns null where nothing is kept under it.
   *
   * @throws {BlobDamagedError} A short content, or what is known of a content, was changed.
   */
  find(id: string): Promise<{ readonly facts: BlobFacts; readonly content: Readable } | null>;
}
