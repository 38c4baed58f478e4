const MONTHS: readonly RegExp[] = [
  /^(?:jan|jän)/,
  /^(?:feb|fév|fev)/,
  /^(?:mar|mär|mrz)/,
  /^(?:apr|avr)/,
  /^(?:may|mai)/,
  /^(?:jun|juin)/,
  /^(?:jul|juil)/,
  /^(?:aug|aoû|aou)/,
  /^sep/,
  /^(?:oct|okt)/,
  /^nov/,
  /^(?:dec|dez|déc)/,
];

/**
 * Reads the first date of a text as YYYY-MM-DD; null where there is none.
 *
 * @param order - Whether the month stands first where both are numbers, as in the United States.
 */
export function readDate(text: string, order: "day_first" | "month_first"): string | null {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(text);
  if (iso !== null) return write(iso[1], iso[2], iso[3]);
  const named = /\b(\d{1,2})(?:st|nd|rd|th)?\.?\s+(\p{L}{3,10})\.?,?\s+(\d{4})\b/u.exec(text);
  if (named !== null) return write(named[3], monthOf(named[2]), named[1]);
  const american = /\b(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,\s*(\d{4})\b/u.exec(text);
  if (american !== null) return write(american[3], monthOf(american[1]), american[2]);
  const numbers = /\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b/.exec(text);
  if (numbers === null) return null;
  const [, first, second, year] = numbers;
  return order === "day_first" ? write(year, second, first) : write(year, first, second);
}

function monthOf(name = ""): string | undefined {
  const month = MONTHS.findIndex((pattern) => pattern.test(name.toLowerCase()));
  return month === -1 ? undefined : String(month + 1);
}

function write(year?: string, month?: string, day?: string): string | null {
  if (year === undefined || month === undefined || day === undefined) return null;
  const isPossible = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return isPossible ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : null;
}
