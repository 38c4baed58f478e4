import { TIME_UNITS, WORDED_DURATION } from "./durations.ts";
import type { Entity, EntityKind } from "./entity.ts";

const MONTHS =
  "jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|ma[yi]|june?|juni|july?|juli|aug(?:ust)?|sep(?:t|tember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?";
const CURRENCY = "EUR|USD|GBP|CHF|JPY|PLN|SEK|NOK|DKK|CZK|AUD|CAD|euros?|dollars?|pounds?|francs?";
const UNITS = `%|°\\s?[CF]|mg|µg|mcg|kg|g|lbs?|oz|ml|l|litres?|liters?|km|cm|mm|m|miles?|inches|feet|ft|kwh|kw|w|v|mah|gb|mb|tb|ghz|mhz|mmhg|bpm|${TIME_UNITS}|times|pieces|pcs|units?`;
const NUMBER = "[+-]?\\d{1,9}(?:[.,'\\u00A0 ]\\d{3}){0,4}(?:[.,]\\d{1,6})?";

/**
 * Patterns by kind, the strictest first; a match is not matched again. Each begins at a word boundary and has bounded
 * repetition, so that matching is linear.
 */
const PATTERNS: readonly (readonly [EntityKind, RegExp])[] = [
  ["url", /(?<![\p{L}\p{N}])https?:\/\/[^\s<>"')\]]{3,300}/giu],
  ["email", /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}/gu],
  ["iban", /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?(?![\p{L}\p{N}])/gu],
  ["date", /(?<![\p{L}\p{N}.])\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,15}Z?)?(?![\p{N}])/gu],
  ["date", /(?<![\p{L}\p{N}.])\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})(?![\p{N}])/gu],
  [
    "date",
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:\\d{1,2}(?:st|nd|rd|th|\\.)?(?: of)? (?:${MONTHS})\\.?(?:,? \\d{4})?|(?:${MONTHS})\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?)(?![\\p{L}\\p{N}])`,
      "giu",
    ),
  ],
  [
    "money",
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:(?:[€$£¥]|(?:${CURRENCY}))\\s?${NUMBER}|${NUMBER}\\s?(?:[€$£¥]|(?:${CURRENCY})(?![\\p{L}])))`,
      "giu",
    ),
  ],
  ["time", /(?<![\p{L}\p{N}:])\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?(?![\p{L}\p{N}:])/giu],
  ["phone", /(?<![\p{L}\p{N}])(?:\+|00)[1-9](?:[ ()./-]{0,2}\d){6,14}(?![\p{L}\p{N}])/gu],
  ["quantity", new RegExp(`(?<![\\p{L}\\p{N}.,/-])${NUMBER}\\s?(?:${UNITS})(?![\\p{L}\\p{N}])`, "giu")],
  ["quantity", WORDED_DURATION],
  // Digits with letters, hyphens or a number sign: orders, tickets, serials, versions, rooms.
  [
    "id",
    /(?<![\p{L}\p{N}._-])(?=[\p{L}\p{N}#/_-]{0,39}\d)(?:#\d{1,20}|[A-Z][\p{L}\p{N}]{0,15}(?:[-_/][\p{L}\p{N}]{1,20}){1,5}|[A-Z]{1,8}\d[A-Z0-9]{1,20}|\d{1,12}(?:-[\p{L}\p{N}]{1,12}){1,5})(?![\p{L}\p{N}])/gu,
  ],
  ["id", /(?<![\p{L}\p{N}.,'-])\d{5,20}(?![\p{L}\p{N}.,'%-]*[\p{L}\p{N}])/gu],
  // What is counted without a unit: "3 pillows", "4 mal".
  ["figure", /(?<![\p{L}\p{N}.,/:-])\d{1,9}(?:[.,]\d{1,6})? \p{L}{2,24}(?![\p{L}\p{N}])/gu],
  [
    "name",
    /(?<![\p{L}\p{N}])(?:(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau|Sr|Sra)\.? )?\p{Lu}\p{Ll}{1,24}(?:[-'’]\p{Lu}\p{Ll}{1,24})?(?: (?:von|van|de|da|der|den|del|la|le|bin|al)){0,2}(?: \p{Lu}\p{Ll}{1,24}(?:[-'’]\p{Lu}\p{Ll}{1,24})?){1,3}(?![\p{L}\p{N}])/gu,
  ],
];

/** Capitalised words at the start of a sentence that are no names. */
const NO_NAME =
  /^(?:the|this|that|these|those|i|we|you|he|she|it|they|my|our|your|and|but|or|so|if|when|what|how|why|where|please|thanks?|thank|hello|hi|dear|good|best|kind|yes|no|ok|okay|also|then|there|here|can|could|would|is|are|was|do|does|did|have|has|had|let|just|only|after|before|since)$/i;

/**
 * Finds the entities of a text: identifiers, amounts, dates, addresses, quantities, people. Deterministic and linear.
 * Each `text` is a substring; each entity is listed once, in order of first mention.
 */
export function findEntities(text: string): Entity[] {
  const found = findPlaces(text);
  const seen = new Set<string>();
  return found.flatMap(({ kind, start, end }) => {
    const piece = text.slice(start, end);
    const key = `${kind}:${foldEntity(piece)}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ kind, text: piece }];
  });
}

/** Positions of entities, in text order. */
export function findPlaces(text: string): { kind: EntityKind; start: number; end: number }[] {
  // One flag for each character, because overlaps are checked often.
  const taken = new Uint8Array(text.length);
  const places: { kind: EntityKind; start: number; end: number }[] = [];
  for (const [kind, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const place = trimmed(kind, { text: match[0], start: match.index });
      if (place === null || taken.subarray(place.start, place.end).includes(1)) continue;
      taken.fill(1, place.start, place.end);
      places.push({ kind, ...place });
    }
  }
  return places.toSorted((a, b) => a.start - b.start);
}

/** Strips the sentence's own words; null when nothing is left. */
function trimmed(
  kind: EntityKind,
  match: { readonly text: string; readonly start: number },
): { start: number; end: number } | null {
  if (kind === "name") return trimName(match);
  const text = kind === "url" ? match.text.replace(/[.,;:!?]{1,4}$/, "") : match.text.trimEnd();
  return { start: match.start, end: match.start + text.length };
}

function trimName({
  text,
  start,
}: {
  readonly text: string;
  readonly start: number;
}): { start: number; end: number } | null {
  const words = text.split(" ");
  const skipped = words.findIndex((word) => !NO_NAME.test(word));
  const own = skipped === -1 ? [] : words.slice(skipped);
  if (own.length < 2 || own.some((word) => NO_NAME.test(word))) return null;
  const name = own.join(" ");
  return { start: start + text.length - name.length, end: start + text.length };
}

/** Normalises an entity's spelling: letters and digits, lower case. */
export function foldEntity(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}€$£¥%°]+/gu, "");
}
