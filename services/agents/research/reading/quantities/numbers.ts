import type { DecimalStyle } from "./decimal-style.ts";

/** One way to read a number. */
export interface NumberReading {
  readonly value: number;
  /** How far the true value may be away, where its last digits may be rounded away; 0 where it is exact. */
  readonly rounding: number;
}

/** A number as it stands in a text. */
export interface FoundNumber {
  readonly from: number;
  readonly to: number;
  /** All that it can mean: `7.800` is 7.8 or 7800 where nothing shows which. Never empty. */
  readonly readings: readonly NumberReading[];
  readonly isInWords: boolean;
}

/** Share of a figure that rounding may take at most: of decimals, and of zeros at its end. */
const ROUNDED = { decimals: 0.05, zeros: 0.02 } as const;

const DIGITS =
  /(?<![\p{L}\d]|\d[.,])(?:\d{1,3}(?:[.,'’\u00A0\u202F]\d{3})+(?:[.,]\d{1,6})?|\d{1,15}(?:[.,]\d{1,6})?)(?!\d)/gu;

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^[\s\u00A0]*(?:billions?|milliards?|milliarden?|mrd\.?|miljard|miliard\p{L}*|mld|bn)(?![\p{L}])/iu, 1e9],
  [/^[\s\u00A0]*(?:millions?|millionen?|mio\.?|mill[oó]n(?:es)?|milion\p{L}*|miljoen|mln)(?![\p{L}])/iu, 1e6],
  [/^[\s\u00A0]*(?:thousands?|tausend|mille|mil|mila|duizend|tys\.?)(?![\p{L}])/iu, 1e3],
];

const WORDS: ReadonlyMap<string, number> = new Map(
  (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen " +
    "nineteen twenty"
  )
    .split(" ")
    .map((word, index) => [word, index + 2]),
);
const TENS: ReadonlyMap<string, number> = new Map(
  "thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, index) => [word, 30 + index * 10]),
);
const IN_WORDS = new RegExp(`\\b(?:${[...WORDS.keys(), ...TENS.keys()].join("|")})\\b`, "gi");

/** Finds numbers in digits, of any language's marks, and small ones in English words. */
export function findNumbers(text: string, style: DecimalStyle): FoundNumber[] {
  const digits = [...text.matchAll(DIGITS)].map(({ 0: found, index }) =>
    withScale(text, {
      from: index,
      to: index + found.length,
      readings: readDigits(found, style),
      isInWords: false,
    }),
  );
  const words = [...text.matchAll(IN_WORDS)].map(({ 0: found, index }) => {
    const value = WORDS.get(found.toLowerCase()) ?? TENS.get(found.toLowerCase()) ?? 0;
    const readings = [{ value, rounding: 0 }];
    return withScale(text, { from: index, to: index + found.length, readings, isInWords: true });
  });
  return [...digits, ...words].toSorted((a, b) => a.from - b.from);
}

function readDigits(found: string, style: DecimalStyle): NumberReading[] {
  const plain = found.replaceAll(/['’\u00A0\u202F]/g, "");
  const marks = [...plain.matchAll(/[.,]/g)].map(({ 0: mark, index }) => ({ mark, index }));
  const last = marks.at(-1);
  const whole = plain.replaceAll(/[.,]/g, "");
  if (last === undefined) return [ofInteger(whole)];
  const decimals = plain.length - last.index - 1;
  const asDecimal = ofDecimal(
    plain.slice(0, last.index).replaceAll(/[.,]/g, ""),
    plain.slice(last.index + 1),
  );
  const isMixed = marks.some(({ mark }) => mark !== last.mark);
  if (isMixed || decimals !== 3) return [asDecimal];
  if (marks.length > 1) return [ofInteger(whole)];
  // One mark before three digits: thousands, unless it is the mark that this text sets before decimals.
  const isDecimalMark = style === "unknown" || (style === "point") === (last.mark === ".");
  return isDecimalMark ? [asDecimal, ofInteger(whole)] : [ofInteger(whole)];
}

function ofDecimal(whole: string, decimals: string): NumberReading {
  const value = Number(`${whole}.${decimals}`);
  return { value, rounding: Math.min(0.5 / 10 ** decimals.length, value * ROUNDED.decimals) };
}

function ofInteger(digits: string): NumberReading {
  const value = Number(digits);
  const zeros = /[1-9]\d*?(0{2,})$/.exec(digits)?.[1]?.length ?? 0;
  return { value, rounding: zeros === 0 ? 0 : Math.min(0.5 * 10 ** zeros, value * ROUNDED.zeros) };
}

function withScale(text: string, number: FoundNumber): FoundNumber {
  for (const [pattern, scale] of SCALES) {
    const word = pattern.exec(text.slice(number.to, number.to + LONGEST_SCALE))?.[0];
    if (word === undefined) continue;
    const readings = number.readings.map(({ value, rounding }) => ({
      value: value * scale,
      // A whole number of millions is rounded to millions.
      rounding: (rounding > 0 ? rounding : Math.min(0.5, value * ROUNDED.decimals)) * scale,
    }));
    return { ...number, to: number.to + word.length, readings };
  }
  return number;
}

const LONGEST_SCALE = 20;
