/** Bounds of one document. All inclusive. */
export interface DocumentLimits {
  /** Bytes of the file. Default 16 MiB. */
  readonly bytesMax: number;
  /** Bytes of a picture, which a model is shown as it is. Default 5 MiB. */
  readonly pictureBytesMax: number;
  /** Pixels of a picture, by its own word and in truth. Default 40 million. */
  readonly pixelsMax: number;
  /** Pages of a document. Default 600. */
  readonly pagesMax: number;
  /** Characters of all pages. Default 2 million. */
  readonly charactersMax: number;
  /** Time in which a file has to be read, in milliseconds. Default 20,000. */
  readonly readMs: number;
  /** Resident memory of the process that reads it. Default 768 MiB. */
  readonly memoryBytesMax: number;
  /** Threads of that process; Node itself takes about twelve. Default 64. */
  readonly tasksMax: number;
}

export const DOCUMENT_LIMITS_DEFAULT: DocumentLimits = {
  bytesMax: 16 * 1024 * 1024,
  pictureBytesMax: 5 * 1024 * 1024,
  pixelsMax: 40_000_000,
  pagesMax: 600,
  charactersMax: 2_000_000,
  readMs: 20_000,
  memoryBytesMax: 768 * 1024 * 1024,
  tasksMax: 64,
};

/** Characters of an invoice, which one model step is shown whole. */
export const INVOICE_CHARACTERS_MAX = 24_000;
/** Characters of a document by which it is tagged. */
export const TAGGED_CHARACTERS_MAX = 4000;
/** Characters of a text that are summarised in one go. */
export const CHUNK_CHARACTERS_MAX = 4000;
/** Chunks of one text: a message leads to at most 1,000 handoffs. Those after them are named as unread. */
export const CHUNKS_MAX = 900;
