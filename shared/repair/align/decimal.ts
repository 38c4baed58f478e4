/** An exact decimal number: `digits` / 10^`scale`. Binary fractions would round what must not be rounded. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Longest number text that is read, in characters. */
const CHARS_MAX = 400;

/** Reads a plain number text (optional sign, digits, point, exponent). Undefined for anything else. */
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

/**
 * Times `numerator / denominator`; undefined where the result has no finite decimal form of at most 20
 * places.
 */
export function timesFraction(value: Decimal, numerator: bigint, denominator: bigint): Decimal | undefined {
  if (denominator === 0n) return undefined;
  const shifted = value.digits * numerator * 10n ** 20n;
  return shifted % denominator === 0n ? normalized(shifted / denominator, value.scale + 20) : undefined;
}

export function isSameDecimal(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.scale === other.scale;
}

/** The JavaScript number that says exactly this; undefined where digits would be lost. */
export function exactNumber(value: Decimal): number | undefined {
  const number = Number(`${value.digits}e${-value.scale}`);
  const back = Number.isFinite(number) ? decimalOf(String(number)) : undefined;
  return back !== undefined && isSameDecimal(back, value) ? number : undefined;
}
