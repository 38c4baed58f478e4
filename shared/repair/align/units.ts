import { isCurrency } from "./currency.ts";
import type { Fraction } from "./decimal.ts";

interface Unit {
  readonly kind: string;
  readonly names: readonly string[];
  /** In its kind's base unit. */
  readonly size: Fraction;
}

function unit(kind: string, names: string, numerator: bigint, denominator = 1n): Unit {
  return { kind, names: names.split(" "), size: [numerator, denominator] };
}

/** Names in the singular, American spelling. */
const UNITS: readonly Unit[] = [
  unit("length", "mm millimeter", 1n),
  unit("length", "cm centimeter", 10n),
  unit("length", "m meter", 1000n),
  unit("length", "km kilometer", 1_000_000n),
  unit("length", "in inch inches", 254n, 10n),
  unit("length", "ft foot feet", 3048n, 10n),
  unit("length", "mi mile", 1_609_344n),
  unit("mass", "mg milligram", 1n),
  unit("mass", "g gram", 1000n),
  unit("mass", "kg kilogram kilo", 1_000_000n),
  unit("mass", "t tonne", 1_000_000_000n),
  unit("mass", "lb lbs pound", 45_359_237n, 100n),
  unit("time", "ms msec millisecond", 1n),
  unit("time", "s sec second", 1000n),
  unit("time", "min minute", 60_000n),
  unit("time", "h hr hrs hour", 3_600_000n),
  unit("time", "d day", 86_400_000n),
  unit("time", "week", 604_800_000n),
  unit("volume", "ml milliliter", 1n),
  unit("volume", "cl centiliter", 10n),
  unit("volume", "l liter", 1000n),
  unit("data", "b byte", 1n),
  // A kB is 1000 or 1024 bytes: removed where declared, never converted.
  unit("kb", "kb kilobyte", 1000n),
  unit("mb", "mb megabyte", 1_000_000n),
  unit("gb", "gb gigabyte", 1_000_000_000n),
  unit("data", "kib", 1024n),
  unit("data", "mib", 1_048_576n),
  unit("data", "gib", 1_073_741_824n),
  unit("eur", "eur € euro", 100n),
  unit("eur", "cents_eur", 1n),
  unit("usd", "usd $ us$ dollar", 100n),
  unit("gbp", "gbp £", 100n),
  unit("jpy", "jpy ¥ yen", 1n),
  unit("chf", "chf francs", 100n),
  unit("percent", "% percent pct", 1n),
  unit("celsius", "c °c celsius", 1n),
  unit("fahrenheit", "f °f fahrenheit", 1n),
  unit("kelvin", "k kelvin", 1n),
  unit("pressure", "hpa mbar", 1n),
  unit("frequency", "hz hertz", 1n),
  unit("power", "w watt", 1n),
  unit("power", "kw kilowatt", 1000n),
  unit("speed", "km/h kmh kph km/hour kilometer/hour", 1n),
  unit("pulse", "bpm beat/minute beat/min", 1n),
  unit("bloodpressure", "mmhg", 1n),
];

function findUnit(name: string): Unit | undefined {
  const wanted = name
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^(?:degrees?|deg\.?)\s+/, "")
    .replace(/\s+per\s+/, "/");
  const single = wanted.replace(/(?<=..)s(?=\/|$)/, "").replace(/tre(?=\/|$)/, "ter");
  return (
    UNITS.find(({ names }) => names.includes(wanted)) ?? UNITS.find(({ names }) => names.includes(single))
  );
}

/** Returns what a unit measures; undefined for an unknown unit. */
export function unitKind(name: string): string | undefined {
  return findUnit(name)?.kind;
}

export function isCurrencySign(name: string): boolean {
  return ["$", "€", "£", "¥"].includes(name.trim());
}

/** Returns the factor from one unit to another; undefined when it is not exact. */
export function conversion(from: string, to: string): Fraction | undefined {
  if (from.trim().toLowerCase() === to.trim().toLowerCase()) return [1n, 1n];
  const [source, target] = [findUnit(from), findUnit(to)];
  if (source === undefined || target === undefined || source.kind !== target.kind) return undefined;
  return [source.size[0] * target.size[1], source.size[1] * target.size[0]];
}

/** Returns the unit suffix of a member's name (`weight_kg`, `timeoutMs`); undefined for none. */
export function unitOfName(name: string): string | undefined {
  if (/^(?:percent|percentage|pct)$/i.test(name)) return "percent";
  const last = /(?:[_-]|(?<=[a-z]))([A-Z]?[a-z]+|[A-Z]+)$/.exec(name)?.[1] ?? "";
  if (last.length === 3 && isCurrency(last) && /_|[A-Z]{3}$/.test(name)) return last;
  if (/^temp/i.test(name) && /^[cfk]$/i.test(last)) return last;
  // Ambiguous suffixes ("check_in", "plan_b") are not units.
  const isAmbiguous = /^(?:.|in|seconds?|foot|pound)$/i.test(last);
  return unitKind(last) === undefined || isAmbiguous ? undefined : last;
}
