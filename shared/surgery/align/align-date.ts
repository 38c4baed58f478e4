import { satisfiesFormat } from "../schema/formats.ts";

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

function monthOf(name: string): number | undefined {
  const wanted = name.toLowerCase().replace(/\.$/, "");
  const index = MONTHS.findIndex(
    (month) =>
      month === wanted ||
      (wanted.length >= 3 && (month.slice(0, 3) === wanted || (wanted === "sept" && month === "september"))),
  );
  return index === -1 ? undefined : index + 1;
}

function written(year: string, month: number | string, day: number | string): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The dates a text may mean as `YYYY-MM-DD`. 03/04/2025 means two; a year of two digits means none. */
export function datesOf(text: string): string[] {
  const plain = text
    .trim()
    .replace(/^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+/i, "");
  return [...new Set(allDates(plain))].filter((date) => satisfiesFormat(date, "date"));
}

function allDates(plain: string): string[] {
  const yearFirst =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/.exec(plain) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(plain);
  if (yearFirst !== null) return [written(yearFirst[1] ?? "", yearFirst[2] ?? "", yearFirst[3] ?? "")];
  const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(plain);
  if (yearLast !== null) {
    const [, one = "", , two = "", year = ""] = yearLast;
    return [written(year, one, two), written(year, two, one)];
  }
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+(?:of\s+)?([A-Za-z]+\.?)[\s,-]+(\d{4})$/i.exec(plain);
  const monthFirst = /^([A-Za-z]+\.?)\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i.exec(plain);
  const [day, name, year] =
    dayFirst === null ? [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]] : dayFirst.slice(1);
  const month = monthOf(name ?? "");
  return month === undefined || day === undefined || year === undefined ? [] : [written(year, month, day)];
}

/** RFC 3339 forms of a time text that has a zone already. A missing zone or time is never supplied. */
export function dateTimesOf(text: string): string[] {
  const parts =
    /^(\S{8,10})(?:[T\s]+)(\d{1,2}:\d{2})(:\d{2})?([.,]\d{1,9})?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i.exec(
      text.trim(),
    );
  if (parts === null) return [];
  const [, date = "", time = "", seconds = ":00", fraction = "", zone = ""] = parts;
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(.\d{2}):?/, "$1:") : "Z";
  const clock = time.length === 4 ? `0${time}` : time;
  return datesOf(date)
    .map((day) => `${day}T${clock}${seconds}${fraction.replace(",", ".")}${offset}`)
    .filter((one) => satisfiesFormat(one, "date-time"));
}
