import { isCurrency } from "./currency.ts";

/** A unit as an exact fraction of its kind's base unit. */
interface Unit {
  readonly kind: string;
  readonly names: readonly string[];
  readonly numerator: bigint;
  readonly denominator: bigint;
}

function unit(kind: string, names: string, numerator: bigint, denominator = 1n): Unit {
  return { kind, names: names.split(" "), numerator, denominator };
}

const UNITS: readonly Unit[] = [
  unit("length", "mm millimeter millimeters millimetre millimetres", 1n),
  unit("length", "cm centimeter centimeters centimetre centimetres", 10n),
  unit("length", "m meter meters metre metres", 1000n),
  unit("length", "km kilometer kilometers kilometre kilometres", 1_000_000n),
  unit("length", "in inch inches", 254n, 10n),
  unit("length", "ft foot feet", 3048n, 10n),
  unit("length", "mi mile miles", 1_609_344n),
  unit("mass", "mg milligram milligrams", 1n),
  unit("mass", "g gram grams", 1000n),
  unit("mass", "kg kilogram kilograms kilo kilos", 1_000_000n),
  unit("mass", "t tonne tonnes", 1_000_000_000n),
  unit("mass", "lb lbs pound pounds", 45_359_237n, 100n),
  unit("time", "ms msec millisecond milliseconds", 1n),
  unit("time", "s sec secs second seconds", 1000n),
  unit("time", "min mins minute minutes", 60_000n),
  unit("time", "h hr hrs hour hours", 3_600_000n),
  unit("time", "d day days", 86_400_000n),
  unit("time", "week weeks", 604_800_000n),
  unit("volume", "ml milliliter milliliters millilitre millilitres", 1n),
  unit("volume", "cl centiliter centiliters", 10n),
  unit("volume", "l liter liters litre litres", 1000n),
  unit("data", "b byte bytes", 1n),
  // A kB is 1000 or 1024 bytes: removed where declared, never converted.
  unit("kb", "kb kilobyte kilobytes", 1000n),
  unit("mb", "mb megabyte megabytes", 1_000_000n),
  unit("gb", "gb gigabyte gigabytes", 1_000_000_000n),
  unit("data", "kib", 1024n),
  unit("data", "mib", 1_048_576n),
  unit("data", "gib", 1_073_741_824n),
  unit("eur", "eur € euro euros", 100n),
  unit("eur", "cents_eur", 1n),
  unit("usd", "usd $ us$ dollar dollars", 100n),
  unit("gbp", "gbp £", 100n),
  unit("jpy", "jpy ¥ yen", 1n),
  unit("chf", "chf francs", 100n),
  unit("percent", "% percent pct", 1n),
  unit("celsius", "c °c celsius", 1n),
  unit("fahrenheit", "f °f fahrenheit", 1n),
  unit("kelvin", "k kelvin", 1n),
  unit("pressure", "hpa mbar", 1n),
  unit("frequency", "hz hertz", 1n),
  unit("power", "w watt watts", 1n),
  unit("power", "kw kilowatt kilowatts", 1000n),
  unit("speed", "km/h kmh kph km/hour kilometers/hour kilometres/hour", 1n),
  unit("pulse", "bpm beats/minute beats/min", 1n),
  unit("bloodpressure", "mmhg", 1n),
];

function findUnit(name: string): Unit | undefined {
  const wanted = name
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^(?:degrees?|deg\.?)\s+/, "")
    .replace(/\s+per\s+/, "/");
  return UNITS.find((one) => one.names.includes(wanted));
}

/** Returns true for a known unit. */
export function isUnitName(name: string): boolean {
  return findUnit(name) !== undefined;
}

/** Returns what a unit measures; undefined for an unknown unit. */
export function unitKind(name: string): string | undefined {
  return findUnit(name)?.kind;
}

export function isCurrencySign(name: string): boolean {
  return ["$", "€", "£", "¥"].includes(name.trim());
}

/** Returns the factor from one unit to another; undefined when it is not exact. */
export function conversion(from: string, to: string): { numerator: bigint; denominator: bigint } | undefined {
  if (from.trim().toLowerCase() === to.trim().toLowerCase()) return { numerator: 1n, denominator: 1n };
  const [source, target] = [findUnit(from), findUnit(to)];
  if (source === undefined || target === undefined || source.kind !== target.kind) return undefined;
  return {
    numerator: source.numerator * target.denominator,
    denominator: source.denominator * target.numerator,
  };
}

/** Returns the unit suffix of a member's name (`weight_kg`, `timeoutMs`); undefined for none. */
export function unitOfName(name: string): string | undefined {
  if (/^(?:percent|percentage|pct)$/i.test(name)) return "percent";
  const last = /(?:[_-]|(?<=[a-z]))([A-Z]?[a-z]+|[A-Z]+)$/.exec(name)?.[1];
  const known = last !== undefined && last.length < name.length ? findUnit(last) : undefined;
  if (
    last !== undefined &&
    last.length === 3 &&
    last.length < name.length &&
    isCurrency(last) &&
    /_|[A-Z]{3}$/.test(name)
  )
    return last;
  if (last !== undefined && /^(?:temp|temperature)/i.test(name) && /^[cfk]$/i.test(last)) return last;
  // Ambiguous suffixes ("check_in", "plan_b") are not units.
  return known === undefined || last === undefined || /^(?:.|in|second|seconds|foot|pound)$/i.test(last)
    ? undefined
    : last;
}
