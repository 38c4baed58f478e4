import type { Span } from "./sensitive-kinds.ts";

const DIGITS_MIN = 13;
const DIGITS_MAX = 19;

/** Digits in groups with single separators, as a maximal run, so that each digit is read once. */
const RUN = /[\d\uFF10-\uFF19](?:[ \u00A0\u2009\u202F.\-\u2010-\u2015]?[\d\uFF10-\uFF19]){12,}/g;
const GROUP = /[\d\uFF10-\uFF19]+/g;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const WORD = /[\p{L}\p{N}_]/u;

/**
 * Finds payment card numbers: 13 to 19 digits, alone or in groups, with a card prefix and a valid Luhn sum. In one
 * run of groups the longest from the left wins. Linear.
 */
export function findCards(text: string): Span[] {
  return [...text.matchAll(RUN)].flatMap((run) => {
    const groups = [...run[0].matchAll(GROUP)].map((group) => ({
      start: run.index + group.index,
      digits: toAscii(group[0]),
    }));
    return findInGroups(groups).filter(({ start, end }) => isAlone(text, { start, end }));
  });
}

interface Group {
  readonly start: number;
  readonly digits: string;
}

function findInGroups(groups: readonly Group[]): Span[] {
  const found: Span[] = [];
  let first = 0;
  while (first < groups.length) {
    const last = lastGroupOfCard(groups, first);
    const [from, to] = [groups[first], last === null ? undefined : groups[last]];
    if (from === undefined || to === undefined || last === null) {
      first += 1;
    } else {
      found.push({ start: from.start, end: to.start + to.digits.length });
      first = last + 1;
    }
  }
  return found;
}

function lastGroupOfCard(groups: readonly Group[], first: number): number | null {
  let digits = "";
  let found: number | null = null;
  for (let last = first; last < groups.length; last += 1) {
    digits += groups[last]?.digits ?? "";
    if (digits.length > DIGITS_MAX) break;
    if (digits.length >= DIGITS_MIN && isCardNumber(digits)) found = last;
  }
  return found;
}

/** Returns true for 13 to 19 digits with the prefix of a card scheme and a valid Luhn sum. */
export function isCardNumber(digits: string): boolean {
  return /^[2-6]\d{12,18}$/.test(digits) && keepsLuhn(digits);
}

function keepsLuhn(digits: string): boolean {
  let sum = 0;
  for (let n = 0; n < digits.length; n += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - n) - 48;
    const doubled = n % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Rejects parts of longer words, such as identifiers, and runs that begin with a date. */
function isAlone(text: string, { start, end }: Span): boolean {
  if (DATE.test(text.slice(start, start + 10))) return false;
  return !WORD.test(text.charAt(start - 1)) && !WORD.test(text.charAt(end));
}

function toAscii(digits: string): string {
  return digits.replaceAll(/[\uFF10-\uFF19]/g, (digit) => String(digit.charCodeAt(0) - 0xff10));
}
