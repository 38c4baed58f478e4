import type { Span } from "./sensitive-kinds.ts";

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
