import type { Beside } from "./fit.ts";
import { folded } from "./match-words.ts";

/** What signs may stand for, the likeliest first. */
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

/** Whether a unit is a currency, by sign or by code (ISO 4217). */
export function isCurrency(unit: string): boolean {
  return Object.hasOwn(SIGNS, unit) || CODES.has(unit.toUpperCase());
}

/** Whether a unit can mean the currency that another member names, by sign or by code. */
export function mayBeCurrency(unit: string, named: string): boolean {
  const known = named.trim().toUpperCase();
  const codes = SIGNS[known] ?? [known];
  return (SIGNS[unit] ?? [unit.toUpperCase()]).some((code) => codes.includes(code));
}

/** What the members of an object name as their currency, found once for each object: all its numbers ask. */
const found = new WeakMap<Beside, string | null>();

/** The currency that the nearest member called so names; undefined where none does. */
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
