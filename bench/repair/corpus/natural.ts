import type { Draw } from "../seeded.ts";
import { PARAGRAPHS, PEOPLE, SENTENCES } from "./words.ts";

const digits = (draw: Draw, count: number): string =>
  Array.from({ length: count }, () => String(draw.below(10))).join("");

const from = (draw: Draw, alphabet: string, count: number): string =>
  Array.from({ length: count }, () => alphabet.charAt(draw.below(alphabet.length))).join("");

const two = (value: number): string => String(value).padStart(2, "0");

export const chance = (draw: Draw, share: number): boolean => draw.next() < share;

export const person = (draw: Draw): string => draw.pick(PEOPLE);

export const sentence = (draw: Draw): string => draw.pick(SENTENCES);

/** One line mostly, sometimes several. */
export const prose = (draw: Draw): string => (chance(draw, 0.3) ? draw.pick(PARAGRAPHS) : sentence(draw));

/** Several different ones, in the order of the pool. */
export function some<Item>(draw: Draw, pool: readonly Item[], least: number, most: number): Item[] {
  const count = least + draw.below(most - least + 1);
  const left = [...pool];
  return Array.from({ length: count }, () => left.splice(draw.below(left.length), 1)).flat();
}

export const times = <Item>(draw: Draw, least: number, most: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: least + draw.below(most - least + 1) }, (_, index) => make(index));

export const between = (draw: Draw, least: number, most: number): number =>
  least + draw.below(most - least + 1);

/** A number with that many decimal places, never more; never -0, which JSON text does not keep. */
export const decimal = (draw: Draw, least: number, most: number, places: number): number =>
  Number((least + draw.next() * (most - least)).toFixed(places)) || 0;

/** Prices as they occur: whole, with cents, and above a thousand. */
export const price = (draw: Draw): number =>
  draw.pick([
    () => between(draw, 1, 90),
    () => decimal(draw, 1, 100, 2),
    () => decimal(draw, 1000, 90_000, 2),
    () => between(draw, 1000, 9000),
    () => Number(`${between(draw, 1, 99)}.99`),
  ])();

export const isoDate = (draw: Draw): string =>
  `${between(draw, 1990, 2027)}-${two(between(draw, 1, 12))}-${two(between(draw, 1, 28))}`;

export const isoDateTime = (draw: Draw): string =>
  `${isoDate(draw)}T${two(draw.below(24))}:${two(draw.below(60))}:${two(draw.below(60))}${draw.pick(["Z", "Z", "+02:00", "-05:30"])}`;

export const email = (draw: Draw): string =>
  draw.pick([
    "ann.lee@example.com",
    "j+invoices@mail.example.org",
    "o'brien@example.ie",
    "kim_99@example.kr",
  ]);

export const url = (draw: Draw): string =>
  draw.pick([
    "https://example.com/",
    "https://example.org/a/b?x=1&y=two#frag",
    "http://shop.example.net/p/00042",
    "https://例え.example/パス",
    "https://docs.example.com/v2/api(reference)",
  ]);

export const phone = (draw: Draw): string =>
  draw.pick(["+4722334455", "+1 (555) 010-2030", "0800 123 456", "+49 30 1234567", "112"]);

export const hex = (draw: Draw, count: number): string => from(draw, "0123456789abcdef", count);

export const uuid = (draw: Draw): string =>
  `${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-a${hex(draw, 3)}-${hex(draw, 12)}`;

/** Identifiers that a careless reader takes for numbers. */
export const numericId = (draw: Draw, count = 8): string =>
  chance(draw, 0.5) ? `00${digits(draw, count - 2)}` : digits(draw, count);

export const code = (draw: Draw, prefix: string, count = 4): string => `${prefix}-${digits(draw, count)}`;

export const letters = (draw: Draw, count: number): string => from(draw, "ABCDEFGHJKLMNPRSTUVWXYZ", count);

/** A member that is there or not. */
export const maybe = <Value>(draw: Draw, name: string, make: () => Value): Record<string, Value> =>
  chance(draw, 0.6) ? { [name]: make() } : {};
