import { folded } from "./match-words.ts";

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
export function monthOf(name: string): number | undefined {
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
