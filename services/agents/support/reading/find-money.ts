import type { Currency, Money } from "../contract-fields.ts";
import { foldText } from "./fold-text.ts";
import { sentencesOf } from "./sentences.ts";

const NAMES: Readonly<Record<string, Currency>> = {
  "€": "EUR",
  eur: "EUR",
  euro: "EUR",
  euros: "EUR",
  $: "USD",
  us$: "USD",
  usd: "USD",
  dollar: "USD",
  dollars: "USD",
  "£": "GBP",
  gbp: "GBP",
  pound: "GBP",
  pounds: "GBP",
  quid: "GBP",
  chf: "CHF",
  franken: "CHF",
  pln: "PLN",
  zł: "PLN",
  zl: "PLN",
  złotych: "PLN",
  r$: "BRL",
  brl: "BRL",
  reais: "BRL",
  sek: "SEK",
  nok: "NOK",
  dkk: "DKK",
  czk: "CZK",
};

const CURRENCY =
  "US\\$|R\\$|€|\\$|£|(?:euros?|dollars?|pounds?|quid|franken|złotych|reais|eur|usd|gbp|chf|pln|zł|zl|brl|sek|nok|dkk|czk)(?!\\p{L})";
const NUMBER = "\\d{1,3}(?:[.,'’ \\u00a0]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?";
const MONEY = new RegExp(
  `(?<![\\p{L}\\d.,])(?:(${CURRENCY})\\s?(${NUMBER})|(${NUMBER})\\s?(?:,-\\s?)?(${CURRENCY}))(?![\\d])`,
  "giu",
);
const REFUND_WORDS =
  / (?:refund|money|back|reimburs|return|erstatt|geld|zuruck|rembours|devol|devuelv|reembols|rimbors|zwrot|pieniadz|oddac|terug)/;

/**
 * Every sum of money a text names, in its order. Three digits after the only point or comma are thousands.
 */
export function listMoney(text: string): Money[] {
  return [...text.matchAll(MONEY)].flatMap((match) => {
    const currency = NAMES[(match[1] ?? match[4] ?? "").toLowerCase()];
    const value = readNumber(match[2] ?? match[3] ?? "");
    return currency === undefined || value <= 0 ? [] : [{ value, currency }];
  });
}

/**
 * The one sum a text asks for. Where it names several, the one beside words for money back; undefined if that does not
 * settle it.
 */
export function findMoney(text: string): Money | undefined {
  const all = distinct(listMoney(text));
  if (all.length <= 1) return all[0];
  const beside = sentencesOf(text).filter((sentence) => REFUND_WORDS.test(foldText(sentence)));
  const asked = distinct(beside.flatMap((sentence) => listMoney(sentence)));
  return asked.length === 1 ? asked[0] : undefined;
}

/** True when a sum stands in one sentence with a word for getting money back. */
export function asksForSum(text: string): boolean {
  return sentencesOf(text).some(
    (sentence) => REFUND_WORDS.test(foldText(sentence)) && listMoney(sentence).length > 0,
  );
}

function readNumber(written: string): number {
  const decimals = /[.,](\d{1,2})$/.exec(written);
  const whole = decimals === null ? written : written.slice(0, decimals.index);
  return Number(`${whole.replaceAll(/\D/g, "")}.${decimals?.[1] ?? "0"}`);
}

function distinct(sums: readonly Money[]): Money[] {
  return sums.filter(
    (sum, index) =>
      sums.findIndex((other) => other.value === sum.value && other.currency === sum.currency) === index,
  );
}
