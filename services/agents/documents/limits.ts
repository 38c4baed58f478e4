/** Bounds of one document. All inclusive. */
export const DOCUMENT_LIMITS_DEFAULT = {
  /** Bytes of the file. */
  bytesMax: 16 * 1024 * 1024,
  /** Bytes of a picture, which a model is shown as it is. */
  pictureBytesMax: 5 * 1024 * 1024,
  /** Pixels of a picture, by its own word and in truth. */
  pixelsMax: 40_000_000,
  /** Pages of a document. */
  pagesMax: 600,
  /** Characters of all pages. */
  charactersMax: 2_000_000,
  /** Time in which a file has to be read, in milliseconds. */
  readMs: 45_000,
  /** Time after which no further page is read off a picture of it, in milliseconds. Such pages are named as unread. */
  ocrMs: 25_000,
  /** Pixels of a picture that text is read off. */
  ocrPixelsMax: 12_000_000,
  /** Resident memory of the process that reads it. */
  memoryBytesMax: 768 * 1024 * 1024,
  /** Threads of that process; Node itself takes about twelve. */
  tasksMax: 64,
};

export type DocumentLimits = Readonly<typeof DOCUMENT_LIMITS_DEFAULT>;

/** Characters of an invoice, which one model step is shown whole. */
export const INVOICE_CHARACTERS_MAX = 24_000;
/** Characters of a document by which it is tagged. */
export const TAGGED_CHARACTERS_MAX = 4000;
/** Characters of a text that are summarised in one go. */
export const CHUNK_CHARACTERS_MAX = 4000;
/**
 * Characters before a chunk that are shown with it, so that a sentence over its edge is seen whole: a
 * quotation's length.
 */
export const LEAD_CHARACTERS_MAX = 400;
/** Chunks of one text: a message leads to at most 1,000 handoffs. Those after them are named as unread. */
export const CHUNKS_MAX = 900;
