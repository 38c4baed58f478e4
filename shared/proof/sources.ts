import type { JsonSchema } from "#shared/json";
import { folded, numberKey } from "#shared/repair";
import { leavesOf, scalarText } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { FirstByOutcome } from "./first-by-outcome.ts";
import type { ProofInput, ProvenanceEntry } from "./proof.ts";
import { TokenIndex } from "./token-index.ts";

/** A text from which values may be derived. */
export interface Source {
  readonly kind: ProvenanceEntry["kind"] & ("original" | "original_query" | "history" | "input");
  readonly text: string;
}

/** The sources of a proof, indexed. */
export interface Sources {
  /** Scalars as text. */
  readonly scalars: readonly Source[];
  /** Whole texts, searched for substrings. */
  readonly texts: readonly Source[];
  readonly exact: () => ReadonlyMap<string, Source["kind"]>;
  readonly folded: () => ReadonlyMap<string, Source["kind"]>;
  /** Numbers by `numberKey`. */
  readonly numbers: () => ReadonlyMap<string, Source["kind"]>;
  /** Token index of `texts`. */
  readonly tokens: () => TokenIndex;
  /** Cache: scalars by first aid's result under a schema. */
  readonly asked: Map<JsonSchema, FirstByOutcome<Source>>;
}

/** Maximum searched length of a text, in UTF-16 units; the rest is no source. */
const TEXT_CHARS_MAX = 1_048_576;
const NUMBERS_MAX = 20_000;

export function gatherSources(input: ProofInput, original: JsonValue | undefined): Sources {
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
  // Lazy, because most repairs need few of them.
  return {
    scalars,
    texts,
    exact: lazily(() => new Map(scalars.toReversed().map(({ text, kind }) => [text, kind]))),
    folded: lazily(() => new Map(scalars.toReversed().map(({ text, kind }) => [folded(text), kind]))),
    numbers: lazily(
      () =>
        new Map(
          texts
            .flatMap(numbersIn)
            .slice(0, NUMBERS_MAX)
            .toReversed()
            .map(({ key, kind }) => [key, kind]),
        ),
    ),
    tokens: lazily(() => new TokenIndex(texts.map((source) => source.text))),
    asked: new Map(),
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
