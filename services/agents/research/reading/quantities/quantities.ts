import { termsOf } from "../words.ts";
import { findDates } from "./dates.ts";
import type { CalendarDate } from "./dates.ts";
import { decimalStyleOf } from "./decimal-style.ts";
import type { DecimalStyle } from "./decimal-style.ts";
import { findNumbers } from "./numbers.ts";
import type { FoundNumber } from "./numbers.ts";
import { findRate, findUnit } from "./units.ts";

interface Place {
  /** As it stands in the text, with its unit. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A figure with what it measures. */
export interface Measure extends Place {
  readonly kind: "measure";
  /** Of its unit; `count` where it has none. */
  readonly dimension: string;
  /** In the dimension's base unit; several where it can be read in several ways. */
  readonly readings: readonly { readonly value: number; readonly tolerance: number }[];
  /** Whether it is said to be a lower or an upper bound; null where it is the figure itself. */
  readonly bound: "least" | "most" | null;
  /** Factor of its unit to the base unit. */
  readonly factor: number;
  /** What it is counted by, such as `year`; null where nothing is said. */
  readonly rate: string | null;
  /** Roots of the words behind a count: what is counted. */
  readonly nouns: ReadonlySet<string>;
}

export interface DateQuantity extends Place {
  readonly kind: "date";
  readonly date: CalendarDate;
}

/** A number that names something: `line 4`. */
export interface Label extends Place {
  readonly kind: "label";
  readonly of: string;
  readonly value: number;
}

export type Quantity = Measure | DateQuantity | Label;

const LABEL = /(?<!\p{L})(line|route|item|room|linie|ligne|l[ií]nea|lijn|chapter|figure|step|page)s?\s$/iu;
/** The same kind of name in other languages. */
const KIND_OF_LABEL: ReadonlyMap<string, string> = new Map(
  ["linie", "ligne", "linea", "línea", "lijn"].map((word) => [word, "line"]),
);
const APPROXIMATE =
  /(?:about|around|roughly|nearly|almost|some|approximately|approx\.|circa|ca\.|over|under|more than|less than|up to|at least|etwa|rund|ungefähr|fast|über|mehr als|environ|près de|plus de|unos|unas|cerca de|casi|más de|circa|quasi|oltre|ongeveer|bijna|ruim)\s+(?:€|\$|£)?$/iu;
/** Say no more than a bound: "more than 25" is also true of 27. */
const AT_LEAST =
  /(?:more than|over|at least|no fewer than|mehr als|über|mindestens|plus de|au moins|más de|al menos|oltre|almeno|più di|meer dan|ruim)\s+(?:€|\$|£)?$/iu;
const AT_MOST =
  /(?:less than|fewer than|under|up to|at most|weniger als|unter|bis zu|höchstens|moins de|au plus|menos de|hasta|meno di|fino a|minder dan|hoogstens)\s+(?:€|\$|£)?$/iu;
const NOUNS_MAX = 3;
/** Share by which a figure that is said to be approximate may differ. */
const APPROXIMATELY = 0.05;
const APPROXIMATELY_TENS = 0.1;

/** Finds figures with their units, dates and numbered names. */
export function readQuantities(text: string, style: DecimalStyle = decimalStyleOf(text)): Quantity[] {
  const dates = findDates(text).map((found): DateQuantity => {
    const { from, to, year, month, day } = found;
    return { kind: "date", text: text.slice(from, to), from, to, date: { year, month, day } };
  });
  const rest = dates.reduce(
    (left, { from, to }) => left.slice(0, from) + " ".repeat(to - from) + left.slice(to),
    text,
  );
  const others = findNumbers(rest, style).map(
    (number) => toLabel(rest, number) ?? toYear(toMeasure(rest, number)),
  );
  return [...dates, ...others].toSorted((a, b) => a.from - b.from);
}

function toLabel(text: string, number: FoundNumber): Label | null {
  const of = LABEL.exec(text.slice(Math.max(0, number.from - 20), number.from))?.[1];
  if (of === undefined || number.isInWords) return null;
  const { from, to, readings } = number;
  const value = readings[0]?.value ?? 0;
  return {
    kind: "label",
    text: text.slice(from, to),
    from,
    to,
    of: KIND_OF_LABEL.get(of.toLowerCase()) ?? of.toLowerCase(),
    value,
  };
}

/** Four digits that count nothing are a year. */
function toYear(measure: Measure): Measure | DateQuantity {
  const { text, from, to, dimension, nouns } = measure;
  if (dimension !== "count" || nouns.size > 0 || !/^(?:1[5-9]|20)\d\d$/.test(text)) return measure;
  return { kind: "date", text, from, to, date: { year: Number(text), month: null, day: null } };
}

function toMeasure(text: string, number: FoundNumber): Measure {
  const unit = findUnit(text, number);
  const { dimension, factor, to } = unit ?? { dimension: "count", factor: 1, to: number.to };
  const before = text.slice(Math.max(0, number.from - 24), number.from);
  const isApproximate = APPROXIMATE.test(before);
  const readings = number.readings.map(({ value, rounding }) => ({
    value: value * factor,
    tolerance: Math.max(rounding, isApproximate ? value * approximationOf(value) : 0) * factor,
  }));
  const { nouns, end } = unit === null ? nounsAfter(text, to) : { nouns: new Set<string>(), end: to };
  return {
    kind: "measure",
    text: text.slice(number.from, unit === null ? end : to),
    from: number.from,
    to,
    dimension,
    bound: AT_LEAST.test(before) ? "least" : AT_MOST.test(before) ? "most" : null,
    factor,
    readings,
    rate: findRate(text, to),
    nouns,
  };
}

/** "About 30" is rounded to tens, "about 31" is not. */
function approximationOf(value: number): number {
  return value % 10 === 0 ? APPROXIMATELY_TENS : APPROXIMATELY;
}

/** What is counted: the words behind a number, up to the first that says nothing. */
function nounsAfter(text: string, from: number): { readonly nouns: Set<string>; readonly end: number } {
  const nouns = new Set<string>();
  let end = from;
  for (let count = 0; count < NOUNS_MAX; count += 1) {
    const word = /^[\s\u00A0-]+(\p{L}[\p{L}'’-]*)/u.exec(text.slice(end, end + LONGEST_WORD));
    const terms = termsOf(word?.[1] ?? "");
    if (word === null || terms.length === 0) break;
    for (const term of terms) nouns.add(term);
    end += word[0].length;
  }
  return { nouns, end };
}

const LONGEST_WORD = 40;
