import { escapeStep } from "#shared/json";

/** Maximum number of values searched; with more, whole texts are masked. */
const VALUES_MAX = 500;

/** Texts of at least this length are found inside words too; shorter ones, from two characters, as whole words. */
const INSIDE_CHARS_MIN = 4;
const CHARS_MIN = 2;
const DIGITS_MIN = 4;

/**
 * Finds copies of sensitive values: under another name, in an error message, inside JSON or raw text. Matches the
 * exact case, all upper and all lower case.
 */
export class Concealer {
  private readonly pattern: RegExp | null;
  private readonly markOf: (value: string) => string;
  private readonly originals = new Map<string, string>();
  private readonly isFull: boolean;

  /**
   * @param values - Results of `sensitiveValues`.
   * @param markOf - Returns a value's replacement.
   */
  constructor(values: readonly (string | number)[], markOf: (value: string) => string) {
    this.markOf = markOf;
    const texts = [...new Set(values.map(String))];
    this.isFull = texts.length > VALUES_MAX;
    for (const text of this.isFull ? [] : texts) this.add(text);
    const found = [...this.originals.keys()].toSorted((a, b) => b.length - a.length);
    this.pattern = found.length === 0 ? null : new RegExp(found.map(toPattern).join("|"), "gu");
  }

  /** Masks a text. */
  inText(text: string): string {
    if (this.isFull) return this.markOf(text);
    if (this.pattern === null) return text;
    return text.replace(this.pattern, (found) => this.markOf(this.originals.get(found) ?? found));
  }

  /** Masks a JSON value: texts, numbers and member names. */
  inValue(value: unknown): unknown {
    if (typeof value === "string") return this.inText(value);
    if (typeof value === "number")
      return this.originals.has(String(value)) ? this.markOf(String(value)) : value;
    if (Array.isArray(value)) return value.map((item) => this.inValue(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => [this.inText(key), this.inValue(inner)]),
    );
  }

  private add(text: string): void {
    const isNumber = /^-?\d+(?:\.\d+)?$/.test(text);
    if (text.length < (isNumber ? DIGITS_MIN : CHARS_MIN)) return;
    const escaped = JSON.stringify(text).slice(1, -1);
    const twice = JSON.stringify(escaped).slice(1, -1);
    const pointer = escapeStep(text);
    const cases = text.length < INSIDE_CHARS_MIN ? [] : [text.toUpperCase(), text.toLowerCase()];
    for (const form of [text, escaped, twice, pointer, ...cases])
      if (!this.originals.has(form)) this.originals.set(form, text);
  }
}

function toPattern(text: string): string {
  const exact = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const isNumber = /^-?[\d.]+$/.test(text);
  if (isNumber) return String.raw`(?<![\d.])${exact}(?!\d|\.\d)`;
  return text.length < INSIDE_CHARS_MIN ? String.raw`(?<![\p{L}\p{N}])${exact}(?![\p{L}\p{N}])` : exact;
}

/** Returns the texts and numbers in a value, at any depth. */
export function scalarsIn(value: unknown): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(scalarsIn) : [];
}
