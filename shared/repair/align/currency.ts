import { codeOfName } from "./currency-names.ts";
import type { Beside } from "./fit.ts";
import { folded } from "./match-words.ts";

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
  zł: ["PLN"],
  Kč: ["CZK"],
  R$: ["BRL"],
  C$: ["CAD"],
  CA$: ["CAD"],
  A$: ["AUD"],
  AU$: ["AUD"],
  "£": ["GBP", "EGP", "SYP", "LBP", "FKP", "GIP"],
  "¥": ["JPY", "CNY"],
  $: ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP", "TWD"],
  US$: ["USD"],
};

const CODES = new Set(
  "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JPY KRW LBP MXN MYR NGN NOK NZD PEN PHP PKR PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR".split(
    " ",
  ),
);

/** A member that names the unit of those beside it. */
function isOfUnit(key: string): boolean {
  return /^(?:unit|units|uom)$/.test(folded(key));
}

const NAMES = /(?:currency|currencycode|curr|ccy)$/;

/** Currencies that several countries call alike. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  dollar: ["USD", "CAD", "AUD", "NZD", "SGD", "HKD"],
  pound: ["GBP", "EGP"],
  franc: ["CHF"],
  rupee: ["INR", "PKR"],
};

/** The codes that a sign, code or word may mean. */
function codesOf(unit: string): readonly string[] {
  const plain = unit.trim();
  if (Object.hasOwn(SIGNS, plain)) return SIGNS[plain] ?? [];
  if (CODES.has(plain.toUpperCase())) return [plain.toUpperCase()];
  const named = codeOfName(plain);
  const word = plain.toLowerCase().replace(/s$/, "");
  if (named !== undefined) return [named];
  return Object.hasOwn(SHARED, word) ? (SHARED[word] ?? []) : [];
}

/** Returns true for a currency sign or code (ISO 4217). */
export function isCurrency(unit: string): boolean {
  return Object.hasOwn(SIGNS, unit) || CODES.has(unit.toUpperCase());
}

/** Returns true when a unit can mean the named currency. */
export function mayBeCurrency(unit: string, named: string): boolean {
  const codes = codesOf(named);
  return codesOf(unit).some((code) => codes.includes(code));
}

/** The only one of a contract's codes that a sign, code or name can mean; of all codes, without a list. */
export function currencyOf(text: string, codes: readonly unknown[] | undefined): string | undefined {
  const plain = text.trim();
  const meant = SIGNS[plain] ?? [
    CODES.has(plain.toUpperCase()) ? plain.toUpperCase() : (codeOfName(plain) ?? ""),
  ];
  const possible = meant.filter((code) => code !== "" && (codes?.includes(code) ?? true));
  return possible.length === 1 ? possible[0] : undefined;
}

/** Returns true for the name of a member that holds a currency. */
export function isCurrencyName(name: string): boolean {
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
