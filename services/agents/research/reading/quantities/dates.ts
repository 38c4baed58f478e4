/** A day, or as much of it as is written. */
export interface CalendarDate {
  readonly year: number | null;
  /** 1 to 12. */
  readonly month: number | null;
  readonly day: number | null;
}

export interface FoundDate extends CalendarDate {
  readonly from: number;
  readonly to: number;
}

/** Names of the months in English, German, French, Spanish, Italian and Dutch. */
const MONTHS: readonly string[] = [
  "january|januar|janvier|enero|gennaio|januari",
  "february|februar|f[eé]vrier|febrero|febbraio|februari",
  "march|märz|maerz|mars|marzo|maart",
  "april|avril|abril|aprile",
  "may|mai|mayo|maggio|mei",
  "june|juni|juin|junio|giugno",
  "july|juli|juillet|julio|luglio",
  "august|août|aout|agosto|augustus",
  "september|septembre|septiembre|settembre",
  "october|oktober|octobre|octubre|ottobre",
  "november|novembre|noviembre",
  "december|dezember|d[eé]cembre|diciembre|dicembre",
];
const MONTH = `(${MONTHS.join("|")})`;
const NOT_BEFORE = String.raw`(?<![\p{L}\d.,])`;
const NOT_AFTER = String.raw`(?![\p{L}\d])`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|º|\.)?`;
const YEAR = String.raw`((?:1[5-9]|20|21)\d\d)`;

const FORMS: readonly { readonly pattern: RegExp; readonly order: readonly (keyof CalendarDate)[] }[] = [
  { pattern: form(String.raw`(\d{4})-(\d{2})-(\d{2})`), order: ["year", "month", "day"] },
  { pattern: form(String.raw`(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})`), order: ["day", "month", "year"] },
  {
    pattern: form(`${DAY}\\s+(?:of\\s+|de\\s+)?${MONTH}(?:,?\\s+(?:de\\s+|del\\s+)?${YEAR})?`),
    order: ["day", "month", "year"],
  },
  { pattern: form(`${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+${YEAR}`), order: ["month", "day", "year"] },
  { pattern: form(`${MONTH}\\s+(?:de\\s+)?${YEAR}`), order: ["month", "year"] },
];
/** A year by itself stands behind a word that says so, or in brackets. */
const LONE_YEAR = new RegExp(
  String.raw`(?<=(?:^|[^\p{L}])(?:in|of|since|by|until|till|from|for|year|before|after|im|seit|ab|vor|nach|jahr|en|depuis|desde|nel|dal|sinds)\s|\()${YEAR}${NOT_AFTER}(?![.,]\d)`,
  "giu",
);

function form(source: string): RegExp {
  return new RegExp(`${NOT_BEFORE}${source}${NOT_AFTER}`, "giu");
}

/** Finds dates, and years that stand by themselves. */
export function findDates(text: string): FoundDate[] {
  const found: FoundDate[] = [];
  for (const { pattern, order } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const at = { from: match.index, to: match.index + match[0].length };
      if (!overlaps(found, at)) found.push({ ...at, ...readParts(match, order) });
    }
  }
  for (const match of text.matchAll(LONE_YEAR)) {
    const at = { from: match.index, to: match.index + match[0].length };
    if (!overlaps(found, at)) found.push({ ...at, year: Number(match[1]), month: null, day: null });
  }
  return withYears(
    text,
    found.toSorted((a, b) => a.from - b.from),
  );
}

/** "On 4 October of that year" has the year that was named before it. */
const OF_THAT_YEAR =
  /^,?\s(?:of (?:that|the same) year|(?:des|im)selben jahres?|jenes jahres|de (?:cette|la même) année|de (?:ese|aquel) (?:mismo )?año|(?:di quell'|dello stesso )anno|van dat jaar)/iu;

function withYears(text: string, found: readonly FoundDate[]): FoundDate[] {
  return found.map((date, index) => {
    const year = found.slice(0, index).findLast((one) => one.year !== null)?.year ?? null;
    const words = date.year === null ? OF_THAT_YEAR.exec(text.slice(date.to))?.[0] : undefined;
    return words === undefined ? date : { ...date, year, to: date.to + words.length };
  });
}

function overlaps(found: readonly FoundDate[], at: { readonly from: number; readonly to: number }): boolean {
  return found.some(({ from, to }) => at.from < to && from < at.to);
}

function readParts(match: RegExpExecArray, order: readonly (keyof CalendarDate)[]): CalendarDate {
  const part = (wanted: keyof CalendarDate): number | null => {
    const text = match[order.indexOf(wanted) + 1];
    if (!order.includes(wanted) || text === undefined) return null;
    return /^\d/.test(text) ? Number(text) : monthOf(text);
  };
  return { year: part("year"), month: part("month"), day: part("day") };
}

function monthOf(name: string): number {
  return MONTHS.findIndex((names) => new RegExp(`^(?:${names})$`, "iu").test(name)) + 1;
}
