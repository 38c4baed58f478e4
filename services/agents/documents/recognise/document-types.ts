import { HEADED_TYPES } from "./headings.ts";

/** What a document is. `other` is a text of no kind that has a route or a name here. */
export const DOCUMENT_TYPES = [...HEADED_TYPES, "correspondence", "other"] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];
