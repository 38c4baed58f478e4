/** Bytes of a file, and of a picture, which a model is shown as it is. */
export const FILE_BYTES_MAX = 16 * 1024 * 1024;
export const PICTURE_BYTES_MAX = 5 * 1024 * 1024;
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
