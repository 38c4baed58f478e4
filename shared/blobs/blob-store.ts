import type { Readable } from "node:stream";

/** What is kept beside a blob's bytes. */
export interface BlobFacts {
  /** SHA-256 of the content, 64 hex digits: also the blob's id. */
  readonly sha256: string;
  readonly bytes: number;
  /** By its bytes where those tell, else as its first sender named it. */
  readonly mime_type: string;
}

export interface BlobToStore {
  readonly content: Readable;
  readonly mimeType: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** Keeps content by its hash. The same content is kept once; stored again, it takes the place of a damaged one. */
export interface BlobStore {
  /**
   * What belongs to one tenant. The default tenant's is the store itself. A digest finds nothing where another tenant
   * stored it: who knows a digest has not thereby its bytes.
   */
  of(tenant: string): BlobStore;
  /**
   * @throws {BodyTooLargeError} More than `bytesMax`. {BlobsFullError} There is no room. {BlobTypeRefusedError} A
   * program. {BlobTypeMismatchError} The bytes are of another type than is said. Nothing is kept of it then.
   */
  store(blob: BlobToStore): Promise<BlobFacts>;
  /** Removes what was stored longer ago than it is kept. */
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
