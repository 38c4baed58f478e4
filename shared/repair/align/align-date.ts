import { satisfiesFormat } from "#shared/schema";
import type { Entry } from "../read/tree.ts";
import { folded } from "./match-words.ts";

/** Writes a date as `YYYY-MM-DD`, without checking it. */
function written(year: string, month: number | string, day: number | string): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Returns the dates a text may mean, as `YYYY-MM-DD`: two for 03/04/2025 without an order, none for 2-digit years. */
export function datesOf(text: string, order?: "day" | "month"): string[] {
  if (text.length > 80) return [];
  return [...new Set(allDates(text.trim(), order))].filter((date) => satisfiesFormat(date, "date"));
}

/** Returns the date of an object with exactly a year of four digits, a month and a day. */
export function dateOfParts(entries: readonly Entry[]): string | undefined {
  const part = (name: string): string | undefined => {
    const value = entries.find(({ key }) => folded(key) === name)?.value;
    return value?.kind === "number" ? value.raw : value?.kind === "string" ? value.text : undefined;
  };
  const [year, month, day] = [part("year"), part("month"), part("day")];
  if (entries.length !== 3 || !/^\d{4}$/.test(year ?? "")) return undefined;
  const date = written(year ?? "", month ?? "", day ?? "");
  return satisfiesFormat(date, "date") ? date : undefined;
}

function allDates(plain: string, order: "day" | "month" | undefined): string[] {
  const yearFirst =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/.exec(plain) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(plain);
  if (yearFirst !== null) return [written(yearFirst[1] ?? "", yearFirst[2] ?? "", yearFirst[3] ?? "")];
  const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(plain);
  if (yearLast !== null) {
    const [, one = "", , two = "", year = ""] = yearLast;
    const [monthFirst, dayFirst] = [written(year, one, two), written(year, two, one)];
    return order === undefined ? [monthFirst, dayFirst] : [order === "day" ? dayFirst : monthFirst];
  }
  const dayFirst =
    /^(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?[\s-]+(?:(?:of|de|di|d['’])\s*)?(\p{L}+)\.?(?:[\s,-]+|\s+(?:de|del)\s+)(\d{4})$/iu.exec(
      plain,
    );
  const monthFirst = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/iu.exec(plain);
  const [day, name, year] =
    dayFirst === null ? [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]] : dayFirst.slice(1);
  const month = monthOf(name ?? "");
  return month === undefined || day === undefined || year === undefined ? [] : [written(year, month, day)];
}

/** The date, the hour, minute, second and its fraction, the half of the day, and the zone. */
const DATE_TIME =
  /^(\S.*?)(?:T|,?\s+(?:at\s+)?)(\d{1,2}):(\d{2})(?::(\d{2}))?([.,]\d{1,9})?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})(?:\s*\([A-Z]{3,4}\))?$/i;

/** Returns the RFC 3339 forms of a timestamp that has a zone. Never supplies a missing zone or time. */
export function dateTimesOf(text: string): string[] {
  const parts = text.length > 120 ? null : DATE_TIME.exec(text.trim());
  const [, date = "", hours, minute = "", second = "00", fraction = "", half, zone = ""] = parts ?? [];
  const hour = hourOf(Number(hours), half);
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(.\d{2}):?/, "$1:") : "Z";
  const clock = `${hour}:${minute}:${second}${fraction.replace(",", ".")}`;
  return datesOf(date)
    .map((day) => `${day}T${clock}${offset}`)
    .filter((one) => satisfiesFormat(one, "date-time"));
}

/** Converts an hour to the 24-hour clock: 12 am is 0, 5 pm is 17; "" for an hour that no half of a day has. */
function hourOf(hour: number, half: string | undefined): string {
  if (half === undefined) return String(hour).padStart(2, "0");
  if (hour < 1 || hour > 12) return "";
  return String((hour % 12) + (/^p/i.test(half) ? 12 : 0)).padStart(2, "0");
}

/** Languages of dates, the commonest first: to learn the names of all takes some 30 ms. */
const LOCALES = "en de de-AT fr es it pt nl pl cs sv da nb ru uk ro tr hu".split(" ");
const NAME_CHARS_MIN = 3;
const YEAR = 2023;

const namesBefore = new Map<string, readonly (readonly string[])[]>();

/** The folded names of each month of a language, alone and beside a day: `styczeń` and `stycznia`. */
function namesIn(locale: string): readonly (readonly string[])[] {
  const known = namesBefore.get(locale);
  if (known !== undefined) return known;
  const formats = [{}, { day: "numeric" } as const].map(
    (beside) => new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC", ...beside }),
  );
  const names = Array.from({ length: 12 }, (_, month) =>
    formats.map((format) =>
      folded(format.formatToParts(Date.UTC(YEAR, month)).find(({ type }) => type === "month")?.value ?? ""),
    ),
  );
  namesBefore.set(locale, names);
  return names;
}

/** Returns the month, 1 to 12, that a language calls so, or the only one that it calls beginning so: `Sept`. */
function monthOf(name: string): number | undefined {
  const plain = folded(name);
  if (plain.length < NAME_CHARS_MIN) return undefined;
  for (const locale of LOCALES) {
    const names = namesIn(locale);
    const whole = names.findIndex((forms) => forms.includes(plain));
    if (whole !== -1) return whole + 1;
    const [begun, ...others] = names.filter((forms) => forms.some((one) => one.startsWith(plain)));
    if (begun !== undefined && others.length === 0) return names.indexOf(begun) + 1;
  }
  return undefined;
}
