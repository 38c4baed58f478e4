import { wordsOf } from "./match-words.ts";

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
