import { toAsciiDigits } from "../../text/to-ascii-digits.ts";

const NUMBER =
  /(?<![\d.,])[-−]?\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,4})?(?![\d])|(?<![\d.,])[-−]?\d+(?:[.,]\d{1,4})?(?![\d])/g;

/** Every number of a text, in each way in which it can be read: "1.234" is one, and one thousand two hundred. */
export function readAmounts(text: string): number[] {
  return [...toAsciiDigits(text).matchAll(NUMBER)].flatMap(([found]) => readingsOf(found));
}

function readingsOf(found: string): number[] {
  const readings = [readAmount(found, "."), readAmount(found, ",")];
  // Columns of figures with a space between them look like thousands.
  const parts = found.split(/[ \u00a0\u202f]/);
  const apart = parts.length > 1 ? parts.flatMap(readingsOf) : [];
  return [...new Set(readings.filter((value): value is number => value !== null)), ...apart];
}

/**
 * Reads a number as written with the given decimal mark; null where it cannot be written so.
 *
 * @param mark - What parts whole units from their fraction; the other mark, apostrophes and spaces group thousands.
 */
export function readAmount(text: string, mark: "." | ","): number | null {
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

/** The decimal mark that a document uses: the one that stands before two digits more often. */
export function guessMark(text: string): "." | "," {
  const commas = text.match(/\d,\d{2}(?![\d])/g)?.length ?? 0;
  const points = text.match(/\d\.\d{2}(?![\d.])/g)?.length ?? 0;
  return commas > points ? "," : ".";
}
