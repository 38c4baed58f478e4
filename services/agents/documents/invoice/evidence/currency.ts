/** Signs, each with the currencies that it stands for. */
const SIGNS: readonly (readonly [sign: RegExp, currencies: readonly string[]])[] = [
  [/€/, ["EUR"]],
  [/£/, ["GBP"]],
  [/zł/, ["PLN"]],
  [/Kč/, ["CZK"]],
  [/₹/, ["INR"]],
  [/R\$/, ["BRL"]],
  [/US\$/, ["USD"]],
  [/CA?\$/, ["CAD"]],
  [/AU?\$/, ["AUD"]],
  [/円/, ["JPY"]],
  [/元/, ["CNY"]],
  [/(?<!\p{Lu})\$/u, ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP"]],
  [/(?<!\p{L})kr(?!\p{L})|(?<!\p{L})kron/iu, ["SEK", "NOK", "DKK", "ISK"]],
  [/[¥￥]/, ["JPY", "CNY"]],
];

/** Countries whose VAT and account numbers tell whose a shared sign is. */
const COUNTRIES: Readonly<Record<string, string>> = {
  SE: "SEK",
  NO: "NOK",
  DK: "DKK",
  IS: "ISK",
  CA: "CAD",
  AU: "AUD",
  NZ: "NZD",
};

/**
 * Says whether a text states a currency: by its code, its own sign or its name in the text's language. `ambiguous`: by
 * a sign that it shares, where no number of its country settles whose it is.
 *
 * @param numbers - VAT and account numbers of the seller that stand in the document.
 */
export function findCurrency(
  text: string,
  currency: string,
  { language, numbers }: { readonly language: string; readonly numbers: readonly string[] },
): "stands" | "ambiguous" | null {
  if (new RegExp(`(?<!\\p{L})${currency}(?!\\p{L})`, "u").test(text)) return "stands";
  const own = SIGNS.filter(([sign, currencies]) => currencies.includes(currency) && sign.test(text));
  if (own.some(([, currencies]) => currencies.length === 1)) return "stands";
  if (namesOf(currency, language).some((name) => text.toLowerCase().includes(name))) return "stands";
  if (own.length === 0) return null;
  return numbers.some((number) => COUNTRIES[number.slice(0, 2)] === currency) ? "stands" : "ambiguous";
}

function namesOf(currency: string, language: string): string[] {
  return [1, 2].flatMap((count) => {
    const form = { style: "currency", currency, currencyDisplay: "name" } as const;
    const parts = new Intl.NumberFormat(language, form).formatToParts(count);
    return parts.flatMap(({ type, value }) => (type === "currency" ? [value.toLowerCase()] : []));
  });
}
