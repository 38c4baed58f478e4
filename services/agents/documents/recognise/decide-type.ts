import type { Tag } from "../contract-fields.ts";
import type { Reason } from "../contracts.ts";
import { DOCUMENT_TYPES } from "./document-types.ts";
import type { DocumentType } from "./document-types.ts";
import { MONEY_TYPES } from "./recognise-text.ts";
import type { Recognition } from "./recognise-text.ts";

/** A document's type, by its text and by a model's answer. */
export interface DecidedType {
  readonly type: DocumentType | null;
  /** Empty where both agree. */
  readonly reasons: readonly Reason[];
}

/**
 * Decides what a text is. The text's own signs come first: a model's word alone makes nothing an invoice to pay, and
 * where the two differ over money a person says. A model may name what has no sign of its own.
 */
export function decideType(recognised: Recognition, tags: readonly Tag[]): DecidedType {
  const said = typeOfTags(tags);
  const { type, unclear, evidence } = recognised;
  const isMoney = (one: DocumentType | null): boolean => one !== null && MONEY_TYPES.has(one);
  if (type === null)
    return { type: null, reasons: [reasonOf("type_unclear", unclear ?? "Its kind cannot be told.")] };
  if (said === null || said === type) return { type, reasons: [] };
  const differ = `By its text it is ${type} (“${evidence?.quote.slice(0, 80) ?? ""}”), and by the model ${said}.`;
  if (isMoney(type)) return { type, reasons: [reasonOf("type_disputed", differ)] };
  if (type === "other" && isMoney(said))
    return {
      type: said,
      reasons: [reasonOf("type_not_confirmed", `A model takes it for ${said}; no heading says so.`)],
    };
  if (isMoney(said)) return { type: null, reasons: [reasonOf("type_disputed", differ)] };
  // Of two kinds that nobody pays by, the text's own heading holds.
  return { type: type === "other" || type === "correspondence" ? said : type, reasons: [] };
}

const reasonOf = (code: Reason["code"], message: string): Reason => ({
  code,
  path: null,
  message: message.slice(0, 500),
});

/** The kind that tags name, if any: an invoice's tags name a credit note or a receipt beside it. */
export function typeOfTags(tags: readonly Tag[]): DocumentType | null {
  const named = DOCUMENT_TYPES.filter((type) => tags.some((tag) => tag === type) && type !== "invoice");
  return named[0] ?? (tags.includes("invoice") ? "invoice" : null);
}

/** The tags of a decided kind: its route first, then its name, then what else a model said. */
export function tagsOfType(type: DocumentType | null, tags: readonly Tag[]): Tag[] {
  const isScan = tags.includes("scan");
  const own: Tag[] =
    type === null
      ? ["unclear"]
      : type === "invoice"
        ? ["invoice"]
        : MONEY_TYPES.has(type)
          ? ["invoice", ...tagOf(type)]
          : [isScan ? "scan" : "document", ...tagOf(type)];
  const rest = tags.filter((tag) => !own.includes(tag) && !isRoute(tag) && typeOfTags([tag]) === null);
  return [...own, ...rest].slice(0, 8);
}

const isRoute = (tag: Tag): boolean =>
  tag === "invoice" || tag === "document" || tag === "photo" || tag === "unclear";

/** All kinds but `other` are tags too. */
function tagOf(type: DocumentType): Tag[] {
  return type === "other" ? [] : [type];
}
