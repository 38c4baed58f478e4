import { isCurrency } from "./currency.ts";

/** Names of each unit in the singular, American spelling. A kB is 1000 or 1024 bytes, which does not matter here. */
const UNITS: readonly (readonly string[])[] = [
  ..."mm millimeter|cm centimeter|m meter|km kilometer|in inch inches|ft foot feet|mi mile".split("|"),
  ..."mg milligram|g gram|kg kilogram kilo|t tonne|lb lbs pound|ml milliliter|cl centiliter|l liter".split(
    "|",
  ),
  ..."ms msec millisecond|s sec second|min minute|h hr hrs hour|d day|week".split("|"),
  ..."b byte|kb kilobyte|mb megabyte|gb gigabyte|kib|mib|gib|hz hertz|w watt|kw kilowatt|hpa mbar|mmhg".split(
    "|",
  ),
  ..."eur € euro|cents_eur|usd $ us$ dollar|gbp £|jpy ¥ yen|chf francs|% percent pct".split("|"),
  ..."c °c celsius|f °f fahrenheit|k kelvin|km/h kmh kph km/hour kilometer/hour".split("|"),
  "bpm beat/minute beat/min",
].map((names) => names.split(" "));

/** Returns the first name of the unit that a word names; undefined for an unknown unit. */
export function unitOf(name: string): string | undefined {
  const wanted = name
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^(?:degrees?|deg\.?)\s+/, "")
    .replace(/\s+per\s+/, "/");
  const single = wanted.replace(/(?<=..)s(?=\/|$)/, "").replace(/tre(?=\/|$)/, "ter");
  return (
    UNITS.find((names) => names.includes(wanted)) ?? UNITS.find((names) => names.includes(single))
  )?.[0];
}

export function isCurrencySign(name: string): boolean {
  return ["$", "€", "£", "¥"].includes(name.trim());
}

/** Returns true for two names of one unit. */
export function isSameUnit(one: string, other: string): boolean {
  const unit = unitOf(one);
  return (
    one.trim().toLowerCase() === other.trim().toLowerCase() || (unit !== undefined && unit === unitOf(other))
  );
}

/** Returns the unit suffix of a member's name (`weight_kg`, `timeoutMs`); undefined for none. */
export function unitOfName(name: string): string | undefined {
  if (/^(?:percent|percentage|pct)$/i.test(name)) return "percent";
  const last = /(?:[_-]|(?<=[a-z]))([A-Z]?[a-z]+|[A-Z]+)$/.exec(name)?.[1] ?? "";
  if (last.length === 3 && isCurrency(last) && /_|[A-Z]{3}$/.test(name)) return last;
  if (/^temp/i.test(name) && /^[cfk]$/i.test(last)) return last;
  // Ambiguous suffixes ("check_in", "plan_b") are not units.
  const isAmbiguous = /^(?:.|in|seconds?|foot|pound)$/i.test(last);
  return unitOf(last) === undefined || isAmbiguous ? undefined : last;
}
