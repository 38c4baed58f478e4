const WHOLE = new Intl.NumberFormat("en");
const MONEY = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 2 });
const SMALL_MONEY = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  maximumSignificantDigits: 2,
});

/** A count with its noun, as "1 case" and "1,204 cases". @param many - Default: the noun with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${WHOLE.format(count)} ${count === 1 ? one : many}`;
}

/** An amount in USD; below a cent with two significant digits. */
export function money(usd: number): string {
  return (Math.abs(usd) < 0.01 && usd !== 0 ? SMALL_MONEY : MONEY).format(usd);
}

/** Words of a name that the API writes with underscores. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}
