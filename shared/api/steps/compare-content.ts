import { escapeStep } from "#shared/json";
import type { ContentDiff } from "../run-steps.ts";

/** Fields of either side that are compared. */
const FIELDS_MAX = 500;
/** Characters of what was made of them in which texts are looked for. */
const SEARCHED_CHARS_MAX = 200_000;
/** Pointers in a list of an answer. */
const LISTED_MAX = 200;
/** Names in which one field was found. */
const NAMES_MAX = 20;

/** Characters from which a value, without a digit or with one, is not equal by chance; others need the same name. */
const DISTINCT_CHARS_MIN = { plain: 8, digits: 4 } as const;
/** Characters from which a value is looked for inside longer texts, likewise: any word may stand there. */
const INSIDE_CHARS_MIN = { plain: 16, digits: 5 } as const;
/** Characters from which a text may have been shortened, and of its pieces that are looked for. */
const LONG_CHARS_MIN = 200;
const PIECE_CHARS_MIN = 20;

/** What was made of something, by its name. */
export interface Use {
  readonly name: string;
  readonly value: unknown;
}

interface Field {
  readonly path: string;
  readonly name: string;
  /** JSON text of a scalar; of an empty list or object, `[]` or `{}`. */
  readonly scalar: string;
  /** Null where it is no text. */
  readonly text: string | null;
}

interface Fields {
  readonly list: readonly Field[];
  readonly scalars: ReadonlySet<string>;
  readonly texts: readonly string[];
  /** There was more than was looked at. */
  readonly isCut: boolean;
}

/**
 * Compares what was sent with what was used: each field by its value, wherever that stands, whole, inside a longer text
 * or in part. Values that may be equal by chance (short ones, yes and no) count under the same name alone. Pure.
 *
 * @param isPartial - Something that was used could not be read. Default false.
 */
export function compareContent(sent: unknown, uses: readonly Use[], isPartial = false): ContentDiff {
  const fields = readFields(sent, SEARCHED_CHARS_MAX);
  const charsMax = SEARCHED_CHARS_MAX / uses.length;
  const found = uses.map(({ name, value }) => ({ name, ...readFields(value, charsMax) }));
  const used: ContentDiff["used"][number][] = [];
  const unused: string[] = [];
  for (const field of fields.list) {
    const { path } = field;
    const chars_sent = field.text?.length ?? field.scalar.length;
    const whole = found.filter((one) => holds(one, field));
    const kept = found.map((one) => ({ ...one, chars: charsKept(field, one.texts) }));
    const part = whole.length > 0 ? [] : kept.filter(({ chars }) => chars > 0);
    const chars_used = Math.min(chars_sent, Math.max(...part.map(({ chars }) => chars)));
    const names = (whole.length > 0 ? whole : part).map(({ name }) => name).slice(0, NAMES_MAX);
    if (whole.length > 0) used.push({ path, how: "whole", in: names, chars_sent, chars_used: chars_sent });
    else if (part.length > 0) used.push({ path, how: "part", in: names, chars_sent, chars_used });
    else unused.push(path);
  }
  const news = found.flatMap(({ list }) => list.filter((field) => !holds(fields, field)));
  const added = [...new Set(news.map(({ path }) => path))];
  const lists = [used, unused, added];
  return {
    used: used.slice(0, LISTED_MAX),
    unused: unused.slice(0, LISTED_MAX),
    added: added.slice(0, LISTED_MAX),
    chars_sent: lengthOf(sent),
    chars_used: uses.reduce((sum, { value }) => sum + lengthOf(value), 0),
    is_partial:
      isPartial ||
      [fields, ...found].some(({ isCut }) => isCut) ||
      lists.some((one) => one.length > LISTED_MAX),
  };
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value ?? null).length;
}

function readFields(value: unknown, charsMax: number): Fields {
  const list: Field[] = [];
  const left: (readonly [path: string, name: string, value: unknown])[] = [["", "", value]];
  for (let next = left.pop(); next !== undefined && list.length < FIELDS_MAX; next = left.pop()) {
    const [path, name, one] = next;
    if (typeof one === "object" && one !== null && Object.keys(one).length > 0) {
      const inner = Object.entries(one).map(
        ([key, item]: [string, unknown]) =>
          [`${path}/${escapeStep(key)}`, Array.isArray(one) ? name : key, item] as const,
      );
      left.push(...inner.slice(0, FIELDS_MAX).toReversed());
    } else {
      const text = typeof one === "string" ? one : null;
      list.push({ path, name, scalar: JSON.stringify(one ?? null), text });
    }
  }
  let chars = 0;
  const texts = list.flatMap(({ text }) => {
    const kept = text?.slice(0, Math.max(0, charsMax - chars)) ?? "";
    chars += text?.length ?? 0;
    return kept === "" ? [] : [kept];
  });
  // A member's name may be a value, too, as in a map by person.
  const scalars = new Set(list.flatMap((field) => [field.scalar, JSON.stringify(field.name)]));
  return { list, scalars, texts, isCut: left.length > 0 || chars >= charsMax };
}

function isLong(text: string, least: { readonly plain: number; readonly digits: number }): boolean {
  return text.length >= (/\d/.test(text) ? least.digits : least.plain);
}

function holds({ list, scalars, texts }: Fields, { name, scalar, text }: Field): boolean {
  if (!isLong(text ?? scalar, DISTINCT_CHARS_MIN))
    return list.some((one) => one.scalar === scalar && one.name === name);
  if (scalars.has(scalar)) return true;
  return text !== null && isLong(text, INSIDE_CHARS_MIN) && texts.some((one) => standsIn(one, text));
}

/** Whether a text stands in another as whole words. */
function standsIn(longer: string, text: string): boolean {
  for (let at = longer.indexOf(text); at !== -1; at = longer.indexOf(text, at + 1)) {
    const around = `${longer[at - 1] ?? " "}${longer[at + text.length] ?? " "}`;
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}

/** Characters of a long text that stand in others: its sentences, or texts that are cut out of it. */
function charsKept({ text }: Field, texts: readonly string[]): number {
  if (text === null || text.length < LONG_CHARS_MIN) return 0;
  const long = texts.filter((one) => one.length >= PIECE_CHARS_MIN);
  const cutOut = long.filter((one) => one.length < text.length && text.includes(one));
  if (cutOut.length > 0) return cutOut.reduce((sum, { length }) => sum + length, 0);
  const pieces = text.split(/(?<=[.!?\n])\s+/u).filter((piece) => piece.length >= PIECE_CHARS_MIN);
  return pieces
    .slice(0, FIELDS_MAX)
    .filter((piece) => long.some((one) => one.includes(piece)))
    .reduce((sum, { length }) => sum + length, 0);
}
