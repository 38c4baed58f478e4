import { kept } from "#shared/schema";
import { decimalOf } from "../align/decimal.ts";
import type { TextSpan } from "./text-span.ts";

const NUMBER = /[-+]?\d(?:[\d.,'_\u00A0\u202F]*\d)?(?:[eE][-+]?\d+)?/g;

/** Maximum number of characters that one locator searches for texts; about 0.05 s. Later texts are not found. */
const SEARCHED_CHARS_MAX = 50_000_000;

interface NumberToken extends TextSpan {
  readonly keys: readonly string[];
}

/** Finds scalars in one text: as written, in JSON's escapes, or as a number in another notation. */
export class Locator {
  private readonly text: string;
  private charsLeft = SEARCHED_CHARS_MAX;
  private numbers: ReadonlyMap<string, readonly TextSpan[]> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The first occurrence that lies in a range. */
  within(value: string | number | boolean | null, range: TextSpan): TextSpan | undefined {
    const found = this.from(value, range.start);
    return found !== undefined && found.end <= range.end ? found : undefined;
  }

  /** The first occurrence at or behind an offset. */
  from(value: string | number | boolean | null, offset: number): TextSpan | undefined {
    if (typeof value === "number") return this.number(value, offset);
    if (value === "") return undefined;
    return writtenForms(value)
      .map((form) => this.plain(form, offset))
      .find((span) => span !== undefined);
  }

  private plain(form: string, offset: number): TextSpan | undefined {
    if (this.charsLeft < 0) return undefined;
    const start = this.text.indexOf(form, offset);
    this.charsLeft -= (start === -1 ? this.text.length : start) - offset;
    return start === -1 ? undefined : { start, end: start + form.length };
  }

  private number(value: number, offset: number): TextSpan | undefined {
    this.numbers ??= byKey(this.text);
    const wanted = numberKey(String(value));
    if (wanted === undefined) return undefined;
    return this.numbers.get(wanted)?.find(({ start }) => start >= offset);
  }
}

/** How a scalar stands in a text: as it is, in JSON, or in JSON inside a JSON text. */
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

/**
 * The numbers that some digits and marks may mean: each by itself, as in `[1,2]`, and together, with points or commas
 * as decimal marks and the others as grouping.
 */
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
