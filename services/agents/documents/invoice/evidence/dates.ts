import { toAsciiDigits } from "./to-ascii-digits.ts";

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
