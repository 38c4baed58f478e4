import { folded, wordsOf } from "./match-words.ts";
import type { Beside } from "./fit.ts";

/** Currencies of a sign, the likeliest first. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  "€": ["EUR"],
  "₹": ["INR"],
  "₽": ["RUB"],
  "₩": ["KRW"],
  "₺": ["TRY"],
  "₴": ["UAH"],
  "₪": ["ILS"],
  "฿": ["THB"],
  kr: ["SEK", "NOK", "DKK", "ISK"],
  Rs: ["INR", "PKR"],
  zł: ["PLN"],
  Kč: ["CZK"],
  R$: ["BRL"],
  C$: ["CAD"],
  CA$: ["CAD"],
  A$: ["AUD"],
  AU$: ["AUD"],
  "£": ["GBP", "EGP", "LBP"],
  "¥": ["JPY", "CNY"],
  $: ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP", "TWD"],
  US$: ["USD"],
};

/** A member that names the unit of those beside it. */
function isOfUnit(key: string): boolean {
  return /^(?:units?|uom)$/.test(folded(key));
}

const NAMES = /(?:currency|currencycode|curr|ccy)$/;

/** The codes that a sign, code or word may mean. */
function codesOf(unit: string): readonly string[] {
  const plain = unit.trim().replace(/\.$/, "");
  if (Object.hasOwn(SIGNS, plain)) return SIGNS[plain] ?? [];
  if (CODES.includes(plain.toUpperCase())) return [plain.toUpperCase()];
  const named = codeOfName(plain);
  return named === undefined ? [] : [named];
}

/** Returns true for a currency sign or code (ISO 4217). */
export function isCurrency(unit: string): boolean {
  return Object.hasOwn(SIGNS, unit.replace(/\.$/, "")) || CODES.includes(unit.toUpperCase());
}

/** Returns true when a unit can mean the named currency. */
export function mayBeCurrency(unit: string, named: string): boolean {
  const codes = codesOf(named);
  return codesOf(unit).some((code) => codes.includes(code));
}

/** Returns true for the name of a member that holds a currency. */
function isCurrencyName(name: string): boolean {
  return NAMES.test(folded(name));
}

/** Cache of currencies by object, because every number in it asks. */
const found = new WeakMap<Beside, string | null>();

/** Returns the currency named by the nearest currency member; undefined for none. */
export function currencyBeside(beside: Beside | undefined): string | undefined {
  if (beside === undefined) return undefined;
  const known = found.get(beside);
  if (known !== undefined) return known ?? undefined;
  const own = beside.entries.find(
    ({ key, value }) =>
      value.kind === "string" &&
      (isCurrencyName(key) ? /\p{L}|\p{Sc}/u.test(value.text) : isOfUnit(key) && value.text.trim() !== ""),
  )?.value;
  const named = own?.kind === "string" ? own.text : currencyBeside(beside.around);
  found.set(beside, named ?? null);
  return named;
}

/** The codes of known currencies (ISO 4217); of those with names alike the likeliest first. */
export const CODES: readonly string[] =
  "USD CAD AUD NZD SGD HKD TWD GBP EGP LBP EUR JPY CHF INR PKR MXN ARS CLP COP AED BGN BRL CNY CZK DKK HUF IDR ILS ISK KRW MYR NGN NOK PEN PHP PLN RON RSD RUB SAR SEK THB TRY UAH VND ZAR".split(
    " ",
  );

let known: readonly (readonly [code: string, name: string])[] | undefined;

/** Codes with the words of their English names: `swiss franc`. */
function names(): readonly (readonly [code: string, name: string])[] {
  return (known ??= namesIn(new Intl.DisplayNames("en", { type: "currency" })));
}

function namesIn(language: Intl.DisplayNames): (readonly [code: string, name: string])[] {
  return CODES.map((code) => [code, wordsOf(language.of(code) ?? code).join(" ")]);
}

/** The code of the only currency whose name stands in a text: `euros`, `Total in Swiss francs`. */
export function codeOfName(text: string): string | undefined {
  const said = ` ${wordsOf(text.replaceAll(".", "")).join(" ")} `;
  const [named, ...others] = names().filter(([, name]) =>
    [` ${name} `, ` ${name}s `].some((one) => said.includes(one)),
  );
  return others.length === 0 ? named?.[0] : undefined;
}
