import { toAsciiDigits } from "./to-ascii-digits.ts";

const NUMERIC =
  /(?<![\d/.-])(?:(?<year>\d{4})\s?[-/.年]\s?(?<month>\d{1,2})\s?[-/.月]\s?(?<day>\d{1,2})日?|(?<first>\d{1,2})(?<mark>[./-])(?<second>\d{1,2})\k<mark>(?<end>\d{4}|\d{2}))(?![\d/-])/g;
/** "3 de mayo de 2026", "May 3rd, 2026". */
const NAMED =
  /(?<!\d)(?:(?<day>\d{1,2})(?!\d)(?<words>\D{2,24}?)(?<year>\d{4})|(?<named>\p{L}{3,12})\.?\s+(?<nth>\d{1,2})(?!\d)\D{1,6}(?<anno>\d{4}))(?!\d)/gu;

/** The notations of days in a document. */
export interface DayNotation {
  readonly isDayFirst: boolean | null;
  /** Names of the months, each with its forms, in lower case and without accents. */
  readonly months: readonly (readonly string[])[];
}

/** Returns the ways in which each day of a text can be read, as YYYY-MM-DD. */
export function readDates(text: string, notation: DayNotation): string[][] {
  const plain = toAsciiDigits(text);
  const numeric = [...plain.matchAll(NUMERIC)].map(({ groups = {} }) => readNumeric(groups, notation));
  const named = [...plain.matchAll(NAMED)].map(({ groups = {} }) => {
    const months = monthsIn(groups["words"] ?? groups["named"] ?? "", notation);
    const [year, day] = [Number(groups["year"] ?? groups["anno"]), Number(groups["day"] ?? groups["nth"])];
    return months.flatMap((month) => dayOf(year, month, day));
  });
  return [...numeric, ...named].filter((readings) => readings.length > 0);
}

/** Reads how a document writes its days off the days themselves, else off the customs of its language. */
export function notationOf(text: string, language: string): DayNotation {
  const pairs = [...toAsciiDigits(text).matchAll(NUMERIC)].flatMap(({ groups }) =>
    groups?.["first"] === undefined ? [] : [[Number(groups["first"]), Number(groups["second"])] as const],
  );
  const isDayFirst = pairs.some(([first]) => first > 12);
  const isMonthFirst = pairs.some(([, second]) => second > 12);
  const months = Array.from({ length: 12 }, (_, index) => namesOf(index, [language, "en"]));
  return { isDayFirst: isDayFirst === isMonthFirst ? customOf(language) : isDayFirst, months };
}

/** English is written both ways. */
function customOf(language: string): boolean | null {
  if (language === "en") return null;
  const parts = new Intl.DateTimeFormat(language, { dateStyle: "short" }).formatToParts();
  const place = (type: string): number => parts.findIndex((part) => part.type === type);
  return place("day") < place("month");
}

function namesOf(index: number, languages: readonly string[]): string[] {
  const date = new Date(Date.UTC(2026, index, 1));
  const names = languages.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) =>
      [{ month }, { month, day: "numeric" as const }].flatMap((form) =>
        new Intl.DateTimeFormat(language, { ...form, timeZone: "UTC" })
          .formatToParts(date)
          .flatMap(({ type, value }) => (type === "month" ? [fold(value)] : [])),
      ),
    ),
  );
  return [...new Set(names)].filter((name) => name.length > 2);
}

const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}|\./gu, "");

/** A name that is none of the language's may be any month: whoever read the document said which. */
function monthsIn(words: string, { months }: DayNotation): number[] {
  const said = fold(words).match(/\p{L}{3,}/gu) ?? [];
  const all = [...months.keys()];
  const known = all.filter((index) =>
    months[index]?.some((name) => said.some((word) => word.startsWith(name) || name.startsWith(word))),
  );
  if (said.length === 0) return [];
  return (known.length === 0 ? all : known).map((index) => index + 1);
}

function readNumeric(
  groups: Readonly<Record<string, string | undefined>>,
  { isDayFirst }: DayNotation,
): string[] {
  const { year, month, day, first, second, mark, end = "" } = groups;
  if (year !== undefined) return dayOf(Number(year), Number(month), Number(day));
  const full = Number(end.length === 2 ? `20${end}` : end);
  const dayFirst = dayOf(full, Number(second), Number(first));
  if (mark === "." || isDayFirst === true) return dayFirst;
  const monthFirst = dayOf(full, Number(first), Number(second));
  return isDayFirst === false ? monthFirst : [...new Set([...dayFirst, ...monthFirst])];
}

/** Empty where there is no such day. */
function dayOf(year: number, month: number, day: number): string[] {
  const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text) ? [text] : [];
}
