const NUMBER =
  /(?<![\d.,])[-−]?\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,4})?(?![\d])|(?<![\d.,])[-−]?\d+(?:[.,]\d{1,4})?(?![\d])/g;

type Mark = "." | ",";

/**
 * Says whether a number stands in a text, in whatever way it is written and with whatever sign: "1.234" is one, and one
 * thousand two hundred. `unclear`: only where
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

const MARKS: Readonly<Record<string, string>> = { "٫": ".", "٬": ",", "−": "-", "٪": "%" };

/** Returns the text with Arabic-Indic, Persian and Devanagari digits, number marks and full-width forms as ASCII. */
function toAsciiDigits(text: string): string {
  return text
    .replaceAll(/[！-～　￥]/g, (wide) => wide.normalize("NFKC"))
    .replaceAll(/[٫٬−٪]/g, (mark) => MARKS[mark] ?? mark)
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/[०-९]/g, (digit) => String((digit.charCodeAt(0) & 0xf) - 6));
}

const PAIR = /(?<![\d/.-])(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-])/g;

/** Returns true where nothing tells whether a document's 03/04/2026 is in March: English is written both ways. */
export function isOrderOpen(text: string, language: string): boolean {
  const pairs = [...toAsciiDigits(text).matchAll(PAIR)];
  return language === "en" && !pairs.some(([, first, , second]) => Number(first) > 12 || Number(second) > 12);
}

/**
 * Says whether the numbers of a day stand together in a text, in whatever order. Its month may be a word, which is for
 * whoever reads it to name. `ambiguous`: only as numbers that are another day too, where the order is open.
 */
export function findDay(text: string, day: string, isOpen: boolean): "stands" | "ambiguous" | null {
  const plain = toAsciiDigits(text);
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const [m, d, y] = [`0?${month}`, `0?${date}`, `(?:${year}|${String(year % 100).padStart(2, "0")})`];
  const holds = (...forms: readonly string[]): boolean =>
    forms.some((form) => new RegExp(`(?<!\\d)${form}(?!\\d)`, "u").test(plain));
  const [dayNamed, monthNamed] = [
    `${d}\\D{0,12}\\p{L}{3}\\D{0,24}${year}`,
    `\\p{L}{3}\\D{0,12}${d}\\D{1,6}${year}`,
  ];
  const parted = "\\D{1,3}";
  if (holds(dayNamed, monthNamed, `${year}${parted}${m}${parted}${d}`, `${d}\\.\\s?${m}\\.\\s?${y}`))
    return "stands";
  if (!holds(`${d}${parted}${m}${parted}${y}`, `${m}${parted}${d}${parted}${y}`)) return null;
  return isOpen && date <= 12 && date !== month ? "ambiguous" : "stands";
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

/** Signs, each with the currencies that it stands for. */
const SIGNS: readonly (readonly [sign: RegExp, currencies: readonly string[]])[] = [
  [/€/, ["EUR"]],
  [/£/, ["GBP"]],
  [/zł/, ["PLN"]],
  [/Kč/, ["CZK"]],
  [/₹/, ["INR"]],
  [/R\$/, ["BRL"]],
  [/US\$/, ["USD"]],
  [/CA?\$/, ["CAD"]],
  [/AU?\$/, ["AUD"]],
  [/円/, ["JPY"]],
  [/元/, ["CNY"]],
  [/(?<!\p{Lu})\$/u, ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP"]],
  [/(?<!\p{L})kr(?!\p{L})|(?<!\p{L})kron/iu, ["SEK", "NOK", "DKK", "ISK"]],
  [/[¥￥]/, ["JPY", "CNY"]],
];

/** Countries whose VAT and account numbers tell whose a shared sign is. */
const COUNTRIES: Readonly<Record<string, string>> = {
  SE: "SEK",
  NO: "NOK",
  DK: "DKK",
  IS: "ISK",
  CA: "CAD",
  AU: "AUD",
  NZ: "NZD",
};

/**
 * Says whether a text states a currency: by its code, its own sign or its name in the text's language. `ambiguous`: by
 * a sign that it shares, where no number of its country settles whose it is.
 *
 * @param numbers - VAT and account numbers of the seller that stand in the document.
 */
export function findCurrency(
  text: string,
  currency: string,
  { language, numbers }: { readonly language: string; readonly numbers: readonly string[] },
): "stands" | "ambiguous" | null {
  if (new RegExp(`(?<!\\p{L})${currency}(?!\\p{L})`, "u").test(text)) return "stands";
  const own = SIGNS.filter(([sign, currencies]) => currencies.includes(currency) && sign.test(text));
  if (own.some(([, currencies]) => currencies.length === 1)) return "stands";
  if (namesOf(currency, language).some((name) => text.toLowerCase().includes(name))) return "stands";
  if (own.length === 0) return null;
  return numbers.some((number) => COUNTRIES[number.slice(0, 2)] === currency) ? "stands" : "ambiguous";
}

function namesOf(currency: string, language: string): string[] {
  return [1, 2].flatMap((count) => {
    const form = { style: "currency", currency, currencyDisplay: "name" } as const;
    const parts = new Intl.NumberFormat(language, form).formatToParts(count);
    return parts.flatMap(({ type, value }) => (type === "currency" ? [value.toLowerCase()] : []));
  });
}
