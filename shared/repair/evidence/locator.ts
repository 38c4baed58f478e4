import { kept } from "#shared/json";
import { decimalOf } from "../align/decimal.ts";

const NUMBER = /[-+]?\d(?:[\d.,'_\u00A0\u202F]*\d)?(?:[eE][-+]?\d+)?/g;

/** Maximum number of characters that one locator searches for texts; about 0.05 s. Later texts are not found. */
const SEARCHED_CHARS_MAX = 50_000_000;

interface NumberToken extends TextSpan {
  readonly keys: readonly string[];
}

/** Returns the first occurrence of a scalar at or behind an offset. */
export type Locate = (value: string | number | boolean | null, offset: number) => TextSpan | undefined;

/** Finds scalars in one text: as written, in JSON's escapes, or as a number in another notation. */
export function locatorOf(text: string): Locate {
  let charsLeft = SEARCHED_CHARS_MAX;
  let numbers: ReadonlyMap<string, readonly TextSpan[]> | undefined;
  const plain = (form: string, offset: number): TextSpan | undefined => {
    if (charsLeft < 0) return undefined;
    const start = text.indexOf(form, offset);
    charsLeft -= (start === -1 ? text.length : start) - offset;
    return start === -1 ? undefined : { start, end: start + form.length };
  };
  return (value, offset) => {
    if (typeof value === "number")
      return (numbers ??= byKey(text))
        .get(numberKey(String(value)) ?? "")
        ?.find(({ start }) => start >= offset);
    if (value === "") return undefined;
    return writtenForms(value)
      .map((form) => plain(form, offset))
      .find((span) => span !== undefined);
  };
}

/** Returns the forms of a scalar in a text: as it is, in JSON, and in JSON inside a JSON text. */
export function writtenForms(value: string | boolean | null): readonly string[] {
  if (typeof value !== "string") return [String(value)];
  return [value, escaped(value), escaped(escaped(value))];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function byKey(text: string): ReadonlyMap<string, readonly TextSpan[]> {
  const spans = new Map<string, TextSpan[]>();
  for (const { keys, start, end } of [...text.matchAll(NUMBER)].flatMap(toTokens))
    for (const key of new Set(keys)) kept(spans, key, () => []).push({ start, end });
  return spans;
}

const PLAIN_NUMBER = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The numbers that some digits and marks may mean: each by itself, and together, as decimals or groups. */
function toTokens(found: RegExpExecArray): NumberToken[] {
  const [whole] = found;
  const tokenOf = (token: string, start: number, meanings: readonly string[]): NumberToken => ({
    start,
    end: start + token.length,
    keys: meanings.flatMap((meaning) => numberKey(meaning) ?? []),
  });
  const alone = [...whole.matchAll(PLAIN_NUMBER)].map((one) =>
    tokenOf(one[0], found.index + one.index, [one[0]]),
  );
  const plain = whole.replaceAll(/['_\s]/g, "");
  if (alone.length === 1 && alone[0]?.end === found.index + whole.length && plain === whole) return alone;
  const meanings = [plain, plain.replaceAll(",", ""), plain.replaceAll(".", "").replace(",", ".")];
  return [...alone, tokenOf(whole, found.index, meanings)];
}

/** Returns one key for all spellings of a decimal number; undefined for other texts. */
export function numberKey(token: string): string | undefined {
  const decimal = decimalOf(token);
  return decimal && `${decimal.digits}e${decimal.scale}`;
}

/** A range of a text, in UTF-16 units; the end is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
