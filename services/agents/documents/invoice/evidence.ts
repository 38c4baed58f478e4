const NUMBER =
  /(?<![\d.,])\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,4})?(?![\d])|(?<![\d.,])\d+(?:[.,]\d{1,4})?(?![\d])/g;

/** Returns true where a number stands in a text, in whatever way it is written and with whatever sign. */
export function holdsAmount(text: string, amount: number): boolean {
  const wanted = Math.abs(amount).toFixed(4);
  return (
    [...toAsciiDigits(text).matchAll(NUMBER)]
      // Columns of figures with a space between them look like thousands: both are readings.
      .flatMap(([found]) => [found, ...found.split(/[ \u00a0\u202f]/)])
      .flatMap((found) => [readAmount(found, "."), readAmount(found, ",")])
      .some((value) => value?.toFixed(4) === wanted)
  );
}

/**
 * Reads a number as written with the given decimal mark; null where it cannot be written so.
 *
 * @param mark - What parts whole units from their fraction; the other mark, apostrophes and spaces group thousands.
 */
export function readAmount(text: string, mark: "." | ","): number | null {
  const plain = text.replaceAll(/[ \u00a0\u202f'’]/g, "");
  const grouped =
    mark === "." ? /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/ : /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
  if (!grouped.test(plain)) return null;
  return Number(mark === "." ? plain.replaceAll(",", "") : plain.replaceAll(".", "").replace(",", "."));
}

const MARKS: Readonly<Record<string, string>> = { "٫": ".", "٬": "," };

/** Returns the text with Arabic-Indic, Persian and Devanagari digits, number marks and full-width forms as ASCII. */
function toAsciiDigits(text: string): string {
  return text
    .replaceAll(/[！-～　]/g, (wide) => wide.normalize("NFKC"))
    .replaceAll(/[٫٬]/g, (mark) => MARKS[mark] ?? mark)
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/[०-९]/g, (digit) => String((digit.charCodeAt(0) & 0xf) - 6));
}

/** Returns true where a day's numbers stand together, in any order. A month in words is for the reader to name. */
export function holdsDay(text: string, day: string): boolean {
  const plain = toAsciiDigits(text);
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const [m, d, y] = [`0?${month}`, `0?${date}`, `(?:${year}|${String(year % 100).padStart(2, "0")})`];
  const parted = "\\D{1,3}";
  const forms = [
    `${d}\\D{0,12}\\p{L}{3}\\D{0,24}${year}`,
    `\\p{L}{3}\\D{0,12}${d}\\D{1,6}${year}`,
    [year, m, d].join(parted),
    [d, m, y].join(parted),
    [m, d, y].join(parted),
  ];
  return forms.some((form) => new RegExp(`(?<!\\d)${form}(?!\\d)`, "u").test(plain));
}

/** Returns true where a text has a currency's code, or a sign or name of it in its language or in English. */
export function holdsCurrency(text: string, currency: string, language: string): boolean {
  const forms = ["symbol", "narrowSymbol", "name"] as const;
  const names = [language, "en"].flatMap((locale) =>
    forms.flatMap((currencyDisplay) => {
      const format = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay });
      const parts = [1, 2].flatMap((count) => format.formatToParts(count));
      return parts.flatMap(({ type, value }) => (type === "currency" ? [value.replace(/\.$/, "")] : []));
    }),
  );
  return [currency, ...names].some((name) =>
    new RegExp(`(?<!\\p{L})${RegExp.escape(name)}(?!\\p{L})`, "iu").test(text),
  );
}

/** A line of a document, as it stands there. */
export interface Line {
  readonly quote: string;
  /** From 1. */
  readonly page: number;
}

/** Returns the first line of a document that holds something, or null. */
export function findLine(pages: readonly string[], holds: (text: string) => boolean): Line | null {
  for (const [index, page] of pages.entries())
    for (const quote of page.split("\n"))
      if (holds(quote)) return { quote: quote.trim().slice(0, 400), page: index + 1 };
  return null;
}

/** Returns true where words stand in a text, spaces, dots, hyphens and case apart. */
export function holdsWords(text: string, words: string): boolean {
  return squeeze(text).includes(squeeze(words));
}

export function squeeze(text: string): string {
  return toAsciiDigits(text.normalize("NFKC"))
    .toLowerCase()
    .replaceAll(/[\s.-]/g, "");
}
