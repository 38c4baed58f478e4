import type { Beside } from "./fit.ts";
import { folded } from "./match-words.ts";

/** Currencies of a sign, the likeliest first. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  "€": ["EUR"],
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

const NAMES = /(?:currency|currencycode|curr|ccy)$/;

/** Returns true for a currency sign or code (ISO 4217). */
export function isCurrency(unit: string): boolean {
  return Object.hasOwn(SIGNS, unit) || CODES.has(unit.toUpperCase());
}

/** Returns true when a unit can mean the named currency. */
export function mayBeCurrency(unit: string, named: string): boolean {
  const known = named.trim().toUpperCase();
  const codes = SIGNS[known] ?? [known];
  return (SIGNS[unit] ?? [unit.toUpperCase()]).some((code) => codes.includes(code));
}

/** Cache of currencies by object, because every number in it asks. */
const found = new WeakMap<Beside, string | null>();

/** Returns the currency named by the nearest currency member; undefined for none. */
export function currencyBeside(beside: Beside | undefined): string | undefined {
  if (beside === undefined) return undefined;
  const known = found.get(beside);
  if (known !== undefined) return known ?? undefined;
  const own = beside.entries.find(
    ({ key, value }) => value.kind === "string" && isCurrency(value.text.trim()) && NAMES.test(folded(key)),
  )?.value;
  const named = own?.kind === "string" ? own.text : currencyBeside(beside.around);
  found.set(beside, named ?? null);
  return named;
}
