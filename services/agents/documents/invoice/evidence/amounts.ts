import { toAsciiDigits } from "./to-ascii-digits.ts";

const NUMBER =
  /(?<![\d.,])[-−]?\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,4})?(?![\d])|(?<![\d.,])[-−]?\d+(?:[.,]\d{1,4})?(?![\d])/g;

export type Mark = "." | ",";

/** Every number of a text, in each way in which it can be read: "1.234" is one, and one thousand two hundred. */
export function readAmounts(text: string): number[] {
  return [...toAsciiDigits(text).matchAll(NUMBER)].flatMap(([found]) => readingsOf(found));
}

/**
 * Says whether a number stands in a text, in whatever way it is written and with whatever sign. `unclear`: only where
 * the same digits are another number too, and the document's decimal mark does not tell.
 */
export function findAmount(text: string, amount: number, mark: Mark | null): "stands" | "unclear" | null {
  const isIt = (value: number): boolean => Math.abs(value).toFixed(4) === Math.abs(amount).toFixed(4);
  const found = [...toAsciiDigits(text).matchAll(NUMBER)].map(([one]) => one);
  const holding = found.filter((one) => readingsOf(one).some(isIt));
  if (holding.length === 0) return null;
  const isClear = (one: string): boolean =>
    columnsOf(one).some((part) => {
      const value = mark === null ? null : readAmount(part, mark);
      return value === null ? readingsOf(part).every(isIt) : isIt(value);
    });
  return holding.some(isClear) ? "stands" : "unclear";
}

/** Columns of figures with a space between them look like thousands: both are readings. */
function columnsOf(found: string): string[] {
  const parts = found.split(/[ \u00a0\u202f]/);
  return parts.length > 1 ? [found, ...parts] : [found];
}

function readingsOf(found: string): number[] {
  const values = columnsOf(found).flatMap((part) => [readAmount(part, "."), readAmount(part, ",")]);
  return [...new Set(values.filter((value): value is number => value !== null))];
}

/**
 * Reads a number as written with the given decimal mark; null where it cannot be written so.
 *
 * @param mark - What parts whole units from their fraction; the other mark, apostrophes and spaces group thousands.
 */
export function readAmount(text: string, mark: Mark): number | null {
  const plain = text
    .trim()
    .replace("−", "-")
    .replaceAll(/[ \u00a0\u202f'’]/g, "");
  const grouped =
    mark === "." ? /^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/ : /^-?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
  if (!grouped.test(plain)) return null;
  const value = mark === "." ? plain.replaceAll(",", "") : plain.replaceAll(".", "").replace(",", ".");
  return Number(value);
}

/** Returns the decimal mark of a document, which stands before two digits more often; null where nothing tells. */
export function markOf(text: string): Mark | null {
  const plain = toAsciiDigits(text);
  const commas = plain.match(/\d,\d{2}(?!\d)/g)?.length ?? 0;
  const points = plain.match(/\d\.\d{2}(?![\d.])/g)?.length ?? 0;
  return commas === points ? null : commas > points ? "," : ".";
}
