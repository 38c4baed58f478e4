import { escapeStep, stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { cachedBy, literalsOf } from "#shared/schema";

/** Maximum number of values searched; with more, whole texts are masked. */
const VALUES_MAX = 500;

/** Texts of at least this length are found inside words too; shorter ones, from two characters, as whole words. */
const INSIDE_CHARS_MIN = 4;
const CHARS_MIN = 2;
const DIGITS_MIN = 4;

/** Finds copies of sensitive values under other names and in texts; with a contract all values that it lists. */
export class Concealer {
  private readonly pattern: RegExp | null;
  private readonly markOf: (value: string) => string;
  private readonly originals = new Map<string, string>();
  private readonly isFull: boolean;
  /** Values that contracts list. */
  private readonly listed: ReadonlySet<string>;
  private readonly names: ReadonlySet<string>;

  /** @param values - Of `sensitiveValues`. @param markOf - A value's replacement. @param contracts - Known schemas. */
  constructor(
    values: readonly (string | number)[],
    markOf: (value: string) => string,
    contracts: readonly JsonSchema[] = [],
  ) {
    this.markOf = markOf;
    const words = contracts.map(wordsOf);
    this.listed = new Set(words.flatMap(({ listed }) => listed));
    this.names = new Set(words.flatMap(({ names }) => names));
    const texts = [...new Set(values.map(String))];
    this.isFull = texts.length > VALUES_MAX;
    for (const text of this.isFull ? [] : new Set([...this.listed, ...texts])) this.add(text);
    const found = [...this.originals].toSorted(([a], [b]) => b.length - a.length);
    const patterns = found.map(([form, text]) => toPattern(form, this.listed.has(text)));
    this.pattern = found.length === 0 ? null : new RegExp(patterns.join("|"), "gu");
  }

  /** Masks a text. */
  inText(text: string): string {
    if (this.isFull) return this.markOf(text);
    if (this.pattern === null || this.isDeclared(text)) return text;
    return text.replace(this.pattern, (found) => this.markOf(this.originals.get(found) ?? found));
  }

  /** Masks a text or a number. */
  ofScalar(value: string | number): string | number {
    if (typeof value === "string") return this.inText(value);
    return this.originals.has(String(value)) ? this.markOf(String(value)) : value;
  }

  /** Masks a JSON value: texts, numbers and member names. */
  inValue(value: unknown): unknown {
    if (typeof value === "string" || typeof value === "number") return this.ofScalar(value);
    if (Array.isArray(value)) return value.map((item) => this.inValue(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => [
        this.names.has(key) ? key : this.inText(key),
        this.inValue(inner),
      ]),
    );
  }

  /** Returns true for a JSON pointer of names that the contract declares. */
  private isDeclared(text: string): boolean {
    return text.startsWith("/") && stepsOf(text).every((step) => this.names.has(step) || /^\d+$/.test(step));
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

interface Words {
  readonly listed: readonly string[];
  readonly names: readonly string[];
}

const wordsOf = cachedBy((schema: JsonSchema): Words => {
  const { listed, names } = literalsOf(schema);
  const values = [...listed].map((text): unknown => JSON.parse(text));
  return { listed: scalarsIn(values).map(String), names: [...names] };
});

/** @param isWord - True if it is found as a whole word alone. */
function toPattern(text: string, isWord: boolean): string {
  const exact = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const isNumber = /^-?[\d.]+$/.test(text);
  if (isNumber) return String.raw`(?<![\d.])${exact}(?!\d|\.\d)`;
  return isWord || text.length < INSIDE_CHARS_MIN
    ? String.raw`(?<![\p{L}\p{N}])${exact}(?![\p{L}\p{N}])`
    : exact;
}

/** Returns the texts and numbers in a value, at any depth. */
export function scalarsIn(value: unknown): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(scalarsIn) : [];
}
