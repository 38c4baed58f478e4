import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { folded, numberKey, parseTolerant } from "#shared/repair";
import { jsonValueOf, leavesOf, nameOf, scalarText } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import type { ProofInput, ProvenanceEntry } from "./proof.ts";
import { TokenIndex } from "./token-index.ts";

/** A text from which values may be derived. */
export interface Source {
  readonly kind: ProvenanceEntry["kind"] & ("original" | "original_query" | "history" | "input");
  readonly text: string;
}

/** The sources of a proof, indexed. */
export type Sources = ReturnType<typeof gatherSources>;

/** Maximum searched length of a text, in UTF-16 units; the rest is no source. */
const TEXT_CHARS_MAX = 1_048_576;
const NUMBERS_MAX = 20_000;

export function gatherSources(input: ProofInput, original: JsonValue | undefined) {
  const { original_query, history, input: task } = input.sources;
  const scalars: Source[] = [
    ...scalarsOf("original", original),
    ...scalarsOf("original_query", original_query),
    ...scalarsOf("history", history),
    ...scalarsOf("input", task),
  ];
  const inner = scalars.filter((source) => source.kind !== "original");
  // A recipe moves values of data; what stands beside them in words is nothing that it could read.
  const whole: readonly Source[] =
    input.procedure === "recipe"
      ? scalars.filter((one) => one.kind === "original" && !isLong(one))
      : [{ kind: "original", text: input.original.text.slice(0, TEXT_CHARS_MAX) }];
  const texts: Source[] = [...whole, ...scalars.filter(isLong), ...inner.filter((one) => !isLong(one))];
  const byForm = (form: (text: string) => string): (() => ReadonlyMap<string, Source["kind"]>) =>
    lazily(() => new Map(scalars.toReversed().map(({ text, kind }) => [form(text), kind])));
  const numbers = (): ReadonlyMap<string, Source["kind"]> => {
    const found = texts.flatMap(numbersIn).slice(0, NUMBERS_MAX).toReversed();
    return new Map(found.map(({ key, kind }) => [key, kind]));
  };
  return {
    /** Scalars as text. */
    scalars,
    /** Whole texts, searched for substrings. */
    texts,
    // Lazy, because most repairs need few of them.
    exact: byForm((text) => text),
    folded: byForm(folded),
    /** By `numberKey`. */
    numbers: lazily(numbers),
    tokens: lazily(() => new TokenIndex(texts.map((source) => source.text))),
    /** Cache: scalars by first aid's result under a schema. */
    asked: new Map<JsonSchema, FirstByOutcome<Source>>(),
  };
}

/** Computes a value at first use and caches it. */
function lazily<Value>(work: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: work() }).value;
}

function isLong(source: Source): boolean {
  return source.text.length > 40;
}

function scalarsOf(kind: Source["kind"], value: JsonValue | undefined): Source[] {
  if (value === undefined) return [];
  return leavesOf(value)
    .filter((leaf) => leaf.value === null || typeof leaf.value !== "object")
    .map((leaf) => ({ kind, text: scalarText(leaf.value).slice(0, TEXT_CHARS_MAX) }));
}

const NUMBER_TOKEN = /(?<![\p{L}\p{N}_.,-])-?\d[\d.,]*(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_])/gu;

/** Finds stand-alone numbers in a text, digit for digit; thousands may be grouped. */
function numbersIn({ kind, text }: Source): { key: string; kind: Source["kind"] }[] {
  const tokens = text.match(NUMBER_TOKEN)?.slice(0, NUMBERS_MAX) ?? [];
  return tokens
    .map((token) => token.replace(/[.,]+$/, ""))
    .flatMap((token) => [
      numberKey(token),
      /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(token) ? numberKey(token.replaceAll(",", "")) : undefined,
    ])
    .filter((key) => key !== undefined)
    .map((key) => ({ key, kind }));
}

/** Finds a source with exactly this number. */
export function findNumber(sources: Sources, value: number): Source["kind"] | undefined {
  const wanted = numberKey(String(value));
  return wanted === undefined ? undefined : sources.numbers().get(wanted);
}

/** Finds a source with this text: a whole scalar, or a part of a text between word boundaries. */
export function findText(sources: Sources, value: string): Source["kind"] | undefined {
  const whole = sources.exact().get(value);
  if (whole !== undefined) return whole;
  if (value.trim().length < 2) return undefined;
  return sources.texts[sources.tokens().find(value)]?.kind;
}

/** Index of items by outcome, computed once for each item, so that many lookups stay linear. */
export class FirstByOutcome<Item> {
  private readonly items: readonly Item[];
  private readonly outcomeOf: (item: Item) => string | undefined;
  private readonly found = new Map<string, Item>();
  private next = 0;

  /** @param outcomeOf - The outcome of one item; undefined for none. */
  constructor(items: readonly Item[], outcomeOf: (item: Item) => string | undefined) {
    this.items = items;
    this.outcomeOf = outcomeOf;
  }

  find(wanted: string): Item | undefined {
    while (!this.found.has(wanted) && this.next < this.items.length) this.ask();
    return this.found.get(wanted);
  }

  /** Returns true when any item has an outcome. */
  hasAny(): boolean {
    while (this.found.size === 0 && this.next < this.items.length) this.ask();
    return this.found.size > 0;
  }

  private ask(): void {
    const item = this.items[this.next];
    this.next += 1;
    const outcome = item === undefined ? undefined : this.outcomeOf(item);
    if (item !== undefined && outcome !== undefined && !this.found.has(outcome))
      this.found.set(outcome, item);
  }
}

/** Index of the original's leaves by name, because long lists look up the same names. */
export class Originals {
  readonly leaves: readonly Leaf[];
  private readonly byName: ReadonlyMap<string, readonly Leaf[]>;
  private readonly texts = new Map<string, readonly string[]>();
  private readonly leavesAsked = new Map<JsonSchema, Map<string, FirstByOutcome<Leaf>>>();
  private readonly textsAsked = new Map<JsonSchema, Map<string, FirstByOutcome<string>>>();

  constructor(leaves: readonly Leaf[]) {
    this.leaves = leaves;
    this.byName = Map.groupBy(leaves, (leaf) => folded(nameOf(leaf.steps)));
  }

  /** Returns the leaves of a name, in any spelling. */
  named(name: string): readonly Leaf[] {
    return this.byName.get(folded(name)) ?? [];
  }

  /** Texts of a name's scalars, without blank ones. */
  textsOf(name: string): readonly string[] {
    return kept(this.texts, name, () =>
      this.named(name)
        .filter((leaf) => typeof leaf.value !== "object")
        .map((leaf) => scalarText(leaf.value))
        .filter((text) => text.trim() !== ""),
    );
  }

  /** Leaves of a name by `outcomeOf`, which must be constant for a schema and a name. */
  leavesBy(at: Asked, outcomeOf: (leaf: Leaf) => string | undefined): FirstByOutcome<Leaf> {
    const byName = kept(this.leavesAsked, at.schema, () => new Map());
    return kept(byName, at.name, (name) => new FirstByOutcome(this.named(name), outcomeOf));
  }

  /** As `leavesBy`, for the texts of a name. */
  textsBy(at: Asked, outcomeOf: (text: string) => string | undefined): FirstByOutcome<string> {
    const byName = kept(this.textsAsked, at.schema, () => new Map());
    return kept(byName, at.name, (name) => new FirstByOutcome(this.textsOf(name), outcomeOf));
  }
}

interface Asked {
  readonly schema: JsonSchema;
  readonly name: string;
}

/** A text with its value; undefined if it is not JSON, or has one name twice. */
interface Original {
  readonly text: string;
  readonly value: JsonValue | undefined;
}

/** Maximum nesting of JSON texts in JSON strings that is unwrapped. */
const ENCODINGS_MAX = 3;

/**
 * Returns the innermost JSON text of a text that may be encoded several times, for proofs and repairs. No value if it
 * is not JSON: it is no content then.
 * @param isChecked - True for a text that was checked for names that occur twice. Default: false.
 */
export function unwrapText(text: string, isChecked = false): Original {
  let own = { text, value: isChecked ? jsonValueOf(text) : parseClear(text) };
  for (let n = 0; n < ENCODINGS_MAX && typeof own.value === "string"; n += 1) {
    own = { text: own.value, value: parseClear(own.value) };
  }
  return own;
}

/** Parses unchecked JSON. No value for a duplicate key: readers differ in which one they take. */
function parseClear(text: string): JsonValue | undefined {
  const value = jsonValueOf(text);
  if (typeof value !== "object" || value === null) return value;
  return parseTolerant(text).length === 1 ? value : undefined;
}
