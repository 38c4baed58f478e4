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

/** Values below these lengths may be equal by chance, in characters: they count only under the same name. */
const DISTINCT_CHARS_MIN = 8;
const DISTINCT_WITH_DIGITS_CHARS_MIN = 4;
/** Below these lengths, in characters, a value is not looked for inside longer texts: any word may stand there. */
const INSIDE_CHARS_MIN = 16;
const INSIDE_WITH_DIGITS_CHARS_MIN = 5;
/** A text at least this long may have been shortened, in characters. */
const LONG_CHARS_MIN = 200;
/** Pieces of a shortened text that are looked for, in characters. */
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

interface Searched {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly scalars: ReadonlySet<string>;
  readonly texts: readonly string[];
}

/**
 * Compares what was sent with what was used: each field by its value, wherever that stands, whole, inside a longer text
 * or in part. Values that may be equal by chance (short ones, yes and no) count under the same name alone. Pure.
 *
 * @param isPartial - Something that was used could not be read. Default false.
 */
export function compareContent(sent: unknown, uses: readonly Use[], isPartial = false): ContentDiff {
  const fields = fieldsOf(sent);
  const budget = { left: SEARCHED_CHARS_MAX };
  const searched = uses.map((use) => search(use, budget));
  const found = fields.list.map((field) => findField(field, searched));
  const used = found.flatMap(({ field, how, names, chars }) =>
    how === "no"
      ? []
      : [
          {
            path: field.path,
            how,
            in: names.slice(0, NAMES_MAX),
            chars_sent: lengthOf(field),
            chars_used: chars,
          },
        ],
  );
  const unused = found.filter(({ how }) => how === "no").map(({ field }) => field.path);
  const added = addedIn(searched, fields.list);
  return {
    used: used.slice(0, LISTED_MAX),
    unused: unused.slice(0, LISTED_MAX),
    added: added.slice(0, LISTED_MAX),
    chars_sent: JSON.stringify(sent ?? null).length,
    chars_used: uses.reduce((sum, { value }) => sum + JSON.stringify(value ?? null).length, 0),
    is_partial:
      isPartial ||
      fields.isCut ||
      budget.left <= 0 ||
      searched.some(({ fields: list }) => list.length >= FIELDS_MAX) ||
      Math.max(used.length, unused.length, added.length) > LISTED_MAX,
  };
}

function fieldsOf(value: unknown): { readonly list: readonly Field[]; readonly isCut: boolean } {
  const list: Field[] = [];
  const left: (readonly [path: string, name: string, value: unknown])[] = [["", "", value]];
  for (let next = left.pop(); next !== undefined && list.length < FIELDS_MAX; next = left.pop()) {
    const [path, name, one] = next;
    if (typeof one === "object" && one !== null && Object.keys(one).length > 0) {
      const isList = Array.isArray(one);
      const inner = Object.entries(one).map(
        ([key, item]: [string, unknown]) =>
          [`${path}/${escapeStep(key)}`, isList ? name : key, item] as const,
      );
      left.push(...inner.slice(0, FIELDS_MAX).toReversed());
    } else {
      list.push({
        path,
        name,
        scalar: JSON.stringify(one ?? null),
        text: typeof one === "string" ? one : null,
      });
    }
  }
  return { list, isCut: left.length > 0 };
}

function search({ name, value }: Use, budget: { left: number }): Searched {
  const fields = fieldsOf(value).list;
  const texts: string[] = [];
  for (const { text } of fields) {
    if (text === null || budget.left <= 0) continue;
    texts.push(text.slice(0, budget.left));
    budget.left -= text.length;
  }
  // A member's name may be a value, too, as in a map by person.
  const scalars = new Set(fields.flatMap((field) => [field.scalar, JSON.stringify(field.name)]));
  return { name, fields, scalars, texts };
}

interface Found {
  readonly field: Field;
  readonly how: "whole" | "part" | "no";
  readonly names: readonly string[];
  readonly chars: number;
}

function findField(field: Field, searched: readonly Searched[]): Found {
  const whole = searched.filter((one) => holds(one, field)).map(({ name }) => name);
  if (whole.length > 0) return { field, how: "whole", names: whole, chars: lengthOf(field) };
  if (field.text === null || field.text.length < LONG_CHARS_MIN)
    return { field, how: "no", names: [], chars: 0 };
  const { text } = field;
  const parts = searched
    .map(({ name, texts }) => ({ name, chars: charsKept(text, texts) }))
    .filter(({ chars }) => chars > 0);
  if (parts.length === 0) return { field, how: "no", names: [], chars: 0 };
  const chars = Math.min(text.length, Math.max(...parts.map((part) => part.chars)));
  return { field, how: "part", names: parts.map(({ name }) => name), chars };
}

function holds({ fields, scalars, texts }: Searched, field: Field): boolean {
  if (!isDistinct(field)) return fields.some((one) => one.scalar === field.scalar && one.name === field.name);
  if (scalars.has(field.scalar)) return true;
  const { text } = field;
  const isLongEnough =
    text !== null && text.length >= (/\d/.test(text) ? INSIDE_WITH_DIGITS_CHARS_MIN : INSIDE_CHARS_MIN);
  return isLongEnough && texts.some((one) => standsIn(one, text));
}

/** Whether a text stands in another as whole words. */
function standsIn(longer: string, text: string): boolean {
  for (let at = longer.indexOf(text); at !== -1; at = longer.indexOf(text, at + 1)) {
    const around = `${longer[at - 1] ?? " "}${longer[at + text.length] ?? " "}`;
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}

/** Characters of a text that stand in others: its sentences, or texts that are cut out of it. */
function charsKept(text: string, texts: readonly string[]): number {
  const long = texts.filter((one) => one.length >= PIECE_CHARS_MIN);
  const cutOut = long.filter((one) => one.length < text.length && text.includes(one));
  if (cutOut.length > 0) return cutOut.reduce((sum, { length }) => sum + length, 0);
  const pieces = text.split(/(?<=[.!?\n])\s+/u).filter((piece) => piece.length >= PIECE_CHARS_MIN);
  return pieces
    .slice(0, FIELDS_MAX)
    .filter((piece) => long.some((one) => one.includes(piece)))
    .reduce((sum, { length }) => sum + length, 0);
}

function addedIn(searched: readonly Searched[], sent: readonly Field[]): string[] {
  const known: Searched = {
    name: "",
    fields: sent,
    scalars: new Set(sent.map(({ scalar }) => scalar)),
    texts: sent.flatMap(({ text }) => (text === null ? [] : [text])),
  };
  const paths = searched.flatMap(({ fields }) =>
    fields.filter((field) => !holds(known, field)).map(({ path }) => path),
  );
  return [...new Set(paths)];
}

function isDistinct({ scalar, text }: Field): boolean {
  const digits = /\d/.test(scalar);
  const { length } = text ?? scalar;
  return length >= (digits ? DISTINCT_WITH_DIGITS_CHARS_MIN : DISTINCT_CHARS_MIN);
}

function lengthOf({ scalar, text }: Field): number {
  return text?.length ?? scalar.length;
}
