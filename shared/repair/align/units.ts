import { cachedBy } from "#shared/schema";
import type { Beside, Fit } from "./aligner.ts";
import { folded, wordsOf } from "./match-words.ts";

/** Counting words for things of any kind. */
const COUNT_WORDS = /^(?:pcs?|pieces?|units?|items?|x|ea(?:ch)?|stk|stue?ck|count|times)$/;

/** Names of members that count things. */
const COUNTS = /^(?:qty|quantit\w*|counts?|numbers?|no|pieces?|items?|units?|amount|times|total|n)$/;

/** Returns the unit a contract states, in `x-unit`, name, title or description; undefined for none or several. */
export function declaredUnit(fit: Fit): string | undefined {
  const unit = fit.schema["x-unit"];
  if (typeof unit === "string") return unit;
  return unitOfName(fit.name) ?? unitOfText(statedBy(fit));
}

/** Title and description. */
function statedBy({ schema }: Fit): string {
  return [schema["title"], schema["description"]].filter((one) => typeof one === "string").join(". ");
}

/** The only unit that a text names: `Duration in minutes`, `weight (kg)`, `degrees Celsius`, `Total, EUR`. */
function unitOfText(text: string): string | undefined {
  if (text === "" || text.length > 400) return undefined;
  const currency = codeOfName(text);
  if (currency !== undefined) return currency;
  const found = [
    ...text.matchAll(
      /(?:\b(?:in|as|of|unit:?)\s+(?:degrees?\s+)?|\bdegrees?\s+|[([,]\s*(?!(?:in|as|of)\s))(?=([°\p{L}%\p{Sc}]{1,14})(?:$|[\s.,;)\]]))/giu,
    ),
  ]
    .map(([, word = ""]) => word)
    .filter((word) => unitOf(word) !== undefined || (isCurrency(word) && word === word.toUpperCase()));
  return new Set(found.map((word) => unitOf(word) ?? word)).size === 1 ? found[0] : undefined;
}

/** Returns true when the word after a number repeats what the member counts: `3 days` in `days`, `4 guests`. */
export function isCounted(fit: Fit, word: string): boolean {
  const [noun, ...others] = wordsOf(word);
  if (noun === undefined || others.length > 0) return false;
  const names = wordsOf(fit.name);
  if (/^stars?$/.test(noun)) return names.some((name) => /^(?:ratings?|stars?|score)$/.test(name));
  if (COUNT_WORDS.test(noun)) return names.some((name) => COUNTS.test(name));
  if (unitOf(noun) !== undefined && names.length !== 1) return false;
  return (
    [...names, ...wordsOf(statedBy(fit))].some((one) => singular(one) === singular(noun)) && noun.length > 2
  );
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
}

/** The top of a scale that a contract states: in `x-scale`, in words, or by bounds that are those of a scale. */
export function declaredScale(fit: Fit): number | undefined {
  const { schema } = fit;
  const scale = schema["x-scale"];
  if (typeof scale === "number") return scale;
  const { minimum, maximum } = schema;
  const isBounded = (minimum === 0 || minimum === 1) && typeof maximum === "number";
  const top = isBounded ? maximum : Number(SCALE_IN_WORDS.exec(statedBy(fit))?.[1]);
  return SCALES.includes(top) ? top : undefined;
}

/** `1 to 5`, `0-100`, `out of 10`. */
const SCALE_IN_WORDS = /(?:\b[01]\s?(?:to|and|through|[-–—]|\.\.+)\s?|\bout of )(\d{1,3})\b(?![.,]?\d)/i;

const SCALES: readonly number[] = [1, 3, 4, 5, 6, 7, 10, 20, 100];

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
function unitOf(name: string): string | undefined {
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

/** Returns true for two names of one unit. */
export function isSameUnit(one: string, other: string): boolean {
  const unit = unitOf(one);
  return (
    one.trim().toLowerCase() === other.trim().toLowerCase() || (unit !== undefined && unit === unitOf(other))
  );
}

/** Returns the unit suffix of a member's name (`weight_kg`, `timeoutMs`); undefined for none. */
function unitOfName(name: string): string | undefined {
  if (/^(?:percent|percentage|pct)$/i.test(name)) return "percent";
  const last = /(?:[_-]|(?<=[a-z]))([A-Z]?[a-z]+|[A-Z]+)$/.exec(name)?.[1] ?? "";
  if (last.length === 3 && isCurrency(last) && /_|[A-Z]{3}$/.test(name)) return last;
  if (/^temp/i.test(name) && /^[cfk]$/i.test(last)) return last;
  // Ambiguous suffixes ("check_in", "plan_b") are not units.
  const isAmbiguous = /^(?:.|in|seconds?|foot|pound)$/i.test(last);
  return unitOf(last) === undefined || isAmbiguous ? undefined : last;
}

/** Currencies of a sign, the likeliest first. */
const SIGNS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    "€ EUR|₹ INR|₽ RUB|₩ KRW|₺ TRY|₴ UAH|₪ ILS|฿ THB|zł PLN|Kč CZK|R$ BRL|C$ CAD|CA$ CAD|A$ AUD|AU$ AUD|US$ USD",
    "kr SEK NOK DKK ISK|Rs INR PKR|£ GBP EGP LBP|¥ JPY CNY|$ USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD",
  ].flatMap((line) =>
    line.split("|").map((one): [string, string[]] => {
      const [sign = "", ...codes] = one.split(" ");
      return [sign, codes];
    }),
  ),
);

/** Names of members that hold the unit, or the currency, of those beside them. */
const UNIT_NAME = /^(?:units?|uom)$/;
const CURRENCY_NAME = /(?:currency|currencycode|curr|ccy)$/;

/** The codes that a sign, code or word may mean. */
function codesOf(unit: string): readonly string[] {
  const plain = unit.trim().replace(/\.$/, "");
  const signed = SIGNS.get(plain);
  if (signed !== undefined) return signed;
  if (CODES.includes(plain.toUpperCase())) return [plain.toUpperCase()];
  const named = codeOfName(plain);
  return named === undefined ? [] : [named];
}

/** Returns true for a currency sign or code (ISO 4217). */
export function isCurrency(unit: string): boolean {
  return SIGNS.has(unit.replace(/\.$/, "")) || CODES.includes(unit.toUpperCase());
}

/** Returns true when a unit can mean the named currency. */
export function mayBeCurrency(unit: string, named: string): boolean {
  const codes = codesOf(named);
  return codesOf(unit).some((code) => codes.includes(code));
}

/** Returns the currency named by the nearest currency member; undefined for none. */
export function currencyBeside(beside: Beside | undefined): string | undefined {
  return beside === undefined ? undefined : (currencyIn(beside) ?? undefined);
}

/** Cached, because every number in an object asks. Null for none. */
const currencyIn = cachedBy(({ entries, around }: Beside): string | null => {
  const own = entries.find(
    ({ key, value }) =>
      value.kind === "string" &&
      (CURRENCY_NAME.test(folded(key))
        ? /\p{L}|\p{Sc}/u.test(value.text)
        : UNIT_NAME.test(folded(key)) && value.text.trim() !== ""),
  )?.value;
  return own?.kind === "string" ? own.text : (currencyBeside(around) ?? null);
});

/** The codes of known currencies (ISO 4217); of those with names alike the likeliest first. */
const CODES: readonly string[] =
  "USD CAD AUD NZD SGD HKD TWD GBP EGP LBP EUR JPY CHF INR PKR MXN ARS CLP COP AED BGN BRL CNY CZK DKK HUF IDR ILS ISK KRW MYR NGN NOK PEN PHP PLN RON RSD RUB SAR SEK THB TRY UAH VND ZAR".split(
    " ",
  );

/** Codes with the words of their English names: `swiss franc`. */
const currencyNames = cachedBy((codes: readonly string[]): (readonly [code: string, name: string])[] => {
  const language = new Intl.DisplayNames("en", { type: "currency" });
  return codes.map((code) => [code, wordsOf(language.of(code) ?? code).join(" ")]);
});

/** The code of the only currency whose name stands in a text: `euros`, `Total in Swiss francs`. */
function codeOfName(text: string): string | undefined {
  const said = ` ${wordsOf(text.replaceAll(".", "")).join(" ")} `;
  const [named, ...others] = currencyNames(CODES).filter(([, name]) =>
    [` ${name} `, ` ${name}s `].some((one) => said.includes(one)),
  );
  return others.length === 0 ? named?.[0] : undefined;
}
