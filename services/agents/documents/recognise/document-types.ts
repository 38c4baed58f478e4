import { HEADED_TYPES } from "./headings.ts";

/** Types of documents. `other`: a text of none of the kinds that have a route or a name here. */
export const DOCUMENT_TYPES = [...HEADED_TYPES, "correspondence", "other"] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];
