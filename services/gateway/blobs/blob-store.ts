import type { Readable } from "node:stream";

/** What is kept beside a blob's bytes. */
export interface BlobFacts {
  /** SHA-256 of the content, 64 hex digits: also the blob's id. */
  readonly sha256: string;
  readonly bytes: number;
  /** As its first sender named it. */
  readonly mime_type: string;
}

export interface BlobToStore {
  readonly content: Readable;
  readonly mimeType: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** Keeps content by its hash. The same content is kept once. */
export interface BlobStore {
  /** @throws {BodyTooLargeError} More than `bytesMax`; nothing is kept of it. {BlobsFullError} There is no room. */
  store(blob: BlobToStore): Promise<BlobFacts>;
  /** @param id - 64 hex digits. @returns null where nothing is kept under it. */
  /** Removes what was stored longer ago than it is kept. */
  retire(): Promise<void>;
  find(id: string): Promise<{ readonly facts: BlobFacts; readonly content: Readable } | null>;
}
