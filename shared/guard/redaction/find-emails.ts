import type { Span } from "./sensitive-kinds.ts";

const LOCAL = /[\p{L}\p{N}._%+'-]/u;
const DOMAIN = /[\p{L}\p{N}.-]/u;
const LOCAL_CHARS_MAX = 64;
const DOMAIN_CHARS_MAX = 253;
/** Labels of letters, digits and hyphens; the last of letters alone. */
const DOMAIN_FORM = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,10}\p{L}{2,24}/u;

/** Finds e-mail addresses from their `@` outwards, within bounds. Linear. */
export function findEmails(text: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const start = Math.max(startOfLocal(text, at), found.at(-1)?.end ?? 0);
    const domain = DOMAIN_FORM.exec(textOfDomain(text, at + 1))?.[0];
    if (start < at && domain !== undefined) found.push({ start, end: at + 1 + domain.length });
  }
  return found;
}

function startOfLocal(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LOCAL_CHARS_MAX && LOCAL.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function textOfDomain(text: string, from: number): string {
  let end = from;
  while (end < text.length && end - from < DOMAIN_CHARS_MAX && DOMAIN.test(text.charAt(end))) end += 1;
  return text.slice(from, end);
}

/** International, with a trunk zero, and North American groups of three and four. */
const FORMS: readonly RegExp[] = [
  /(?<![\p{L}\p{N}_+./-])(?:\+|00)[1-9](?:[ \u00A0()./-]{0,3}\d){6,14}(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}_+./-])\(?0[1-9]\d{0,4}\)?(?:[ \u00A0./-]{0,2}\d){5,11}(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}_+./-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\p{L}\p{N}_])/gu,
];
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}/;
const DIGITS_MIN = 8;

/** Finds telephone numbers; excludes dates and decimal numbers. Linear. */
export function findPhones(text: string): Span[] {
  return FORMS.flatMap((form) => [...text.matchAll(form)])
    .filter(([number]) => number.replaceAll(/\D/g, "").length >= DIGITS_MIN && !DATE.test(number))
    .map((found) => ({ start: found.index, end: found.index + found[0].length }));
}
