const USD = { style: "currency", currency: "USD" } as const;
const MONEY = new Intl.NumberFormat("en", { ...USD, maximumFractionDigits: 2 });
const SMALL_MONEY = new Intl.NumberFormat("en", { ...USD, maximumSignificantDigits: 2 });

/** Adds up numbers. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Adds up lists place by place from their ends. @param length - Of the result. Default: that of the first list. */
export const addUp = (lists: readonly (readonly number[])[], length = lists[0]?.length ?? 0) =>
  Array.from({ length }, (_, index) => sum(lists.map((list) => list.at(index - length) ?? 0)));

/** A count, as "1,204". */
export const whole = (count: number): string => count.toLocaleString("en");

/** A count with its noun, as "1 case" and "1,204 cases". @param many - Default: the noun with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** An amount in USD; below a cent with two significant digits. */
export function money(usd: number): string {
  return (Math.abs(usd) < 0.01 && usd !== 0 ? SMALL_MONEY : MONEY).format(usd);
}

/** Words of a name that the API writes with underscores. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** A length of time, as "340 ms", "2.1 s" or "4 min 10 s". @param ms - Below 0 counts as 0. */
export function duration(ms: number): string {
  const rounded = Math.max(0, Math.round(ms));
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 60_000) return `${(rounded / 1000).toFixed(1)} s`;
  const [seconds, minutes] = [Math.floor(rounded / 1000), Math.floor(rounded / 60_000)];
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A share of 0 to 1. Not 0 % while there is some, nor 100 % while some is missing. */
export function percent(share: number): string {
  const rounded = Math.round(share * 1000) / 10;
  if (rounded === 0 && share > 0) return "under 0.1 %";
  if (rounded === 100 && share < 1) return "over 99.9 %";
  return `${rounded} %`;
}
