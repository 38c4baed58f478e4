/** An exact decimal number, `digits` / 10^`scale`. Binary fractions would round. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Maximum length of a number, in characters. */
const CHARS_MAX = 400;

/** Parses a plain number (optional sign, digits, point, exponent); undefined for other text. */
export function decimalOf(text: string): Decimal | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (parts === null || text.length > CHARS_MAX) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  if (whole + fraction === "") return undefined;
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  return normalized(digits, fraction.length - Number(exponent));
}

function normalized(digits: bigint, scale: number): Decimal {
  let [least, places] = [digits, scale];
  if (places < 0) [least, places] = [least * 10n ** BigInt(-places), 0];
  while (places > 0 && least % 10n === 0n) [least, places] = [least / 10n, places - 1];
  return { digits: least, scale: places };
}

/** Multiplies by a fraction; undefined when the result has no finite decimal form of at most 20 places. */
export function timesFraction(value: Decimal, [numerator, denominator]: Fraction): Decimal | undefined {
  if (denominator === 0n) return undefined;
  const shifted = value.digits * numerator * 10n ** 20n;
  return shifted % denominator === 0n ? normalized(shifted / denominator, value.scale + 20) : undefined;
}

export function isSameDecimal(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.scale === other.scale;
}

/** Converts to a JavaScript number; undefined when digits would be lost. */
export function exactNumber(value: Decimal): number | undefined {
  const number = Number(`${value.digits}e${-value.scale}`);
  const back = Number.isFinite(number) ? decimalOf(String(number)) : undefined;
  return back !== undefined && isSameDecimal(back, value) ? number : undefined;
}

const MARKS: Readonly<Record<string, string>> = { "٫": ".", "٬": "," };

/** Writes the decimal digits of any script as 0 to 9, without the marks of writing direction around them. */
export function plainDigits(text: string): string {
  if (!/[^\0-\x7F]/.test(text)) return text;
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[٫٬]/g, (mark) => MARKS[mark] ?? mark)
    .replaceAll(/(?=[^\0-\x7F])\p{Nd}/gu, (digit) => {
      // The digits of a script have ten codes in a row, from 0 on.
      let [code, value] = [digit.codePointAt(0) ?? 0, 0];
      while (/\p{Nd}/u.test(String.fromCodePoint(code - 1))) [code, value] = [code - 1, value + 1];
      return String(value);
    });
}
