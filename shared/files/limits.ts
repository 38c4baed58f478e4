/** Bounds of reading one file. All inclusive. */
export const FILE_LIMITS_DEFAULT = {
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
};

export type FileLimits = Readonly<typeof FILE_LIMITS_DEFAULT>;
