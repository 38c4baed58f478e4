import { folded } from "./match-words.ts";

/** Languages of dates, the commonest first: to learn the names of all takes some 30 ms. */
const LOCALES = "en de de-AT fr es it pt nl pl cs sv da nb ru uk ro tr hu".split(" ");
const NAME_CHARS_MIN = 3;
/** 2023 begins on a Sunday. */
const YEAR = 2023;

type Part = "month" | "weekday";

const namesBefore = new Map<string, readonly (readonly string[])[]>();

/** The folded names of each month or weekday of a language, alone and beside a day: `styczeń` and `stycznia`. */
function namesIn(locale: string, part: Part): readonly (readonly string[])[] {
  const known = namesBefore.get(part + locale);
  if (known !== undefined) return known;
  const formats = [{}, { day: "numeric" } as const].map(
    (beside) => new Intl.DateTimeFormat(locale, { [part]: "long", timeZone: "UTC", ...beside }),
  );
  const names = Array.from({ length: part === "month" ? 12 : 7 }, (_, index) => {
    const date = part === "month" ? Date.UTC(YEAR, index) : Date.UTC(YEAR, 0, index + 1);
    return formats.map((format) =>
      folded(format.formatToParts(date).find(({ type }) => type === part)?.value ?? ""),
    );
  });
  namesBefore.set(part + locale, names);
  return names;
}

/** The only month or weekday of a language that has a name, or else that begins with it: `Sept`, `Thurs`. */
function indexOf(written: string, part: Part): number | undefined {
  const plain = folded(written);
  if (plain.length < NAME_CHARS_MIN) return undefined;
  for (const locale of LOCALES) {
    const names = namesIn(locale, part);
    const whole = names.findIndex((forms) => forms.includes(plain));
    if (whole !== -1) return whole;
    const [begun, ...others] = names.filter((forms) => forms.some((one) => one.startsWith(plain)));
    if (begun !== undefined && others.length === 0) return names.indexOf(begun);
  }
  return undefined;
}

/** Returns the month, 1 to 12, of a month name in a known language. */
export function monthOf(name: string): number | undefined {
  const index = indexOf(name, "month");
  return index === undefined ? undefined : index + 1;
}

/** Returns the weekday of a name, 0 for Sunday. */
export function weekdayOf(name: string): number | undefined {
  return indexOf(name, "weekday");
}
