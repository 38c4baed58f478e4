import { DEDUCTION, DUE, ISSUED, ISSUED_WEAKLY, OTHER_DAY, REFERENCE } from "./labels.ts";
import { ambiguous, decide, notStated } from "./reading.ts";
import type { Found, Line, Reading } from "./reading.ts";

/** Beginnings of the months' names in the languages that are read, in lower case and without accents. */
const MONTHS: readonly (readonly string[])[] = [
  ["jan", "ene", "gen", "stycz", "ιαν"],
  ["feb", "fev", "lut", "φεβ"],
  ["mar", "mrz", "maerz", "maart", "mart", "mrt", "μαρ"],
  ["apr", "avr", "abr", "kwie", "απρ"],
  ["may", "mai", "mag", "maj", "mei", "μαι"],
  ["jun", "juin", "giu", "czerw", "ιουν"],
  ["jul", "juil", "lug", "lip", "ιουλ"],
  ["aug", "aou", "ago", "sierp", "αυγ"],
  ["sep", "set", "wrze", "σεπ"],
  ["oct", "okt", "out", "ott", "paz", "οκτ"],
  ["nov", "lis", "νοε"],
  ["dec", "dez", "dic", "gru", "δεκ"],
];

/** Languages and regions in which a day with slashes is written day first can be told by these letters. */
const DAY_FIRST =
  /(?<!\p{L})(?:facture|echeance|fecha|factura|fattura|fatura|data|factuur|faktura|rechnung|datum|τιμολογιο|ημερομηνια|αποδειξη)(?!\p{L})/iu;

const NUMERIC =
  /(?<![\d/.-])(?:(?<year>\d{4})\s?[-/.年]\s?(?<month>\d{1,2})\s?[-/.月]\s?(?<day>\d{1,2})日?|(?<first>\d{1,2})(?<mark>[./-])(?<second>\d{1,2})\k<mark>(?<end>\d{4}))(?![\d/-])/g;
const NAMED =
  /(?<!\d)(?:(?<day>\d{1,2})(?:\.|st|nd|rd|th|er|º)?\s+(?:de\s+|of\s+)?(?<month>\p{L}{3,12})\.?,?\s+(?:de\s+)?(?<year>\d{4})|(?<named>\p{L}{3,12})\.?\s+(?<nth>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<anno>\d{4}))(?!\d)/gu;

/** A day as it is written, with each way in which it can be read, as YYYY-MM-DD. */
interface Written {
  readonly at: number;
  readonly readings: readonly string[];
}

/** The days of a document. A day with slashes whose order nothing tells is ambiguous. */
export function readDates(lines: readonly Line[]): {
  readonly issued: Reading<string>;
  readonly due: Reading<string>;
} {
  const order = orderOf(lines);
  const issued: Found<readonly string[]>[] = [];
  const weak: Found<readonly string[]>[] = [];
  const due: Found<readonly string[]>[] = [];
  for (const line of lines.filter(({ text }) => !DEDUCTION.test(text) && !REFERENCE.test(text)))
    for (const { at, readings } of datesIn(line.text, order)) {
      const label = labelBefore(line.text, at);
      if (label === "due") due.push({ value: readings, line });
      if (label === "issued") issued.push({ value: readings, line });
      if (label === "weak") weak.push({ value: readings, line });
    }
  return { issued: settle(issued.length > 0 ? issued : weak), due: settle(due) };
}

/** The text with its days blanked out, so that no year or day is taken for an amount. */
export function blankDates(text: string): string {
  return [NUMERIC, NAMED].reduce(
    (rest, pattern) =>
      rest.replaceAll(pattern, (found) =>
        /\p{L}{3}|[-/.年]/u.test(found) ? " ".repeat(found.length) : found,
      ),
    text,
  );
}

/** Every day of a text, in every way in which it can be read. */
export function allDates(text: string): Set<string> {
  return new Set(datesIn(text, null).flatMap(({ readings }) => readings));
}

function settle(found: readonly Found<readonly string[]>[]): Reading<string> {
  const unclear = found.find(({ value }) => value.length > 1);
  if (unclear !== undefined) return ambiguous(unclear.value, unclear.line);
  const clear = found.flatMap(({ value: [day], line }) => (day === undefined ? [] : [{ value: day, line }]));
  return clear.length === 0 ? notStated() : decide(clear);
}

/**
 * The nearest name of a day before a place in its line. Of names that end together the longer one holds:
 * "due date".
 */
function labelBefore(text: string, at: number): "issued" | "due" | "weak" | null {
  const before = text.slice(0, at);
  const endOf = (pattern: RegExp): number => {
    const last = [...before.matchAll(new RegExp(pattern.source, "giu"))].at(-1);
    return last === undefined ? -1 : last.index + last[0].length;
  };
  const [issued, due, other] = [endOf(ISSUED), endOf(DUE), endOf(OTHER_DAY)];
  if (Math.max(issued, due, other) === -1) return endOf(ISSUED_WEAKLY) === -1 ? null : "weak";
  if (due >= issued && due >= other) return "due";
  return other >= issued ? null : "issued";
}

type Order = "day" | "month" | null;

/** Day or month first, as another day of the same document or its language says; null where nothing does. */
function orderOf(lines: readonly Line[]): Order {
  const text = lines.map((line) => line.text).join("\n");
  const pairs = [...text.matchAll(NUMERIC)].flatMap(({ groups }) =>
    groups?.["first"] === undefined ? [] : [[Number(groups["first"]), Number(groups["second"])] as const],
  );
  const isDayFirst = pairs.some(([first]) => first > 12);
  const isMonthFirst = pairs.some(([, second]) => second > 12);
  if (isDayFirst !== isMonthFirst) return isDayFirst ? "day" : "month";
  return !isDayFirst && DAY_FIRST.test(text) ? "day" : null;
}

function datesIn(text: string, order: Order): Written[] {
  const numeric = [...text.matchAll(NUMERIC)].map(({ index, groups = {} }) => ({
    at: index,
    readings: readNumeric(groups, order),
  }));
  const named = [...text.matchAll(NAMED)].map(({ index, groups = {} }) => {
    const month = monthOf(groups["month"] ?? groups["named"] ?? "");
    const [year, day] = [groups["year"] ?? groups["anno"], groups["day"] ?? groups["nth"]];
    return { at: index, readings: month === 0 ? [] : dayOf(Number(year), month, Number(day)) };
  });
  return [...numeric, ...named].filter(({ readings }) => readings.length > 0).toSorted((a, b) => a.at - b.at);
}

function readNumeric(groups: Readonly<Record<string, string | undefined>>, order: Order): string[] {
  const { year, month, day, first, second, mark, end } = groups;
  if (year !== undefined) return dayOf(Number(year), Number(month), Number(day));
  const dayFirst = dayOf(Number(end), Number(second), Number(first));
  if (mark === "." || order === "day") return dayFirst;
  const monthFirst = dayOf(Number(end), Number(first), Number(second));
  if (order === "month") return monthFirst;
  return [...new Set([...dayFirst, ...monthFirst])];
}

function monthOf(name: string): number {
  const plain = name.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
  return MONTHS.findIndex((names) => names.some((one) => plain.startsWith(one))) + 1;
}

/** Empty where there is no such day. */
function dayOf(year: number, month: number, day: number): string[] {
  const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text) ? [text] : [];
}
