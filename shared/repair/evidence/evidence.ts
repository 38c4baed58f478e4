import type { JsonSchema } from "#shared/json";
import { leavesOf, nameOf } from "#shared/schema";
import type { Leaf } from "#shared/schema";
import { namesOf } from "../align/match-names.ts";
import { folded } from "../align/match-words.ts";
import type { Repaired } from "../first-aid-result.ts";
import { locatorOf } from "./locator.ts";
import type { TextSpan } from "./locator.ts";
import { groupBy } from "../group-by.ts";

/** Place of one scalar of a repaired value in the text, and the rules by which it was read. */
export interface ValueEvidence {
  /** JSON pointer into the value. */
  readonly path: string;
  /** Empty where the value comes from the contract, or the text is too long to be searched. */
  readonly spans: readonly TextSpan[];
  /** Steps noted at this value or around it; `as_written` for none. */
  readonly rules: readonly string[];
}

export interface Evidence {
  /** One entry for each scalar, in document order. */
  readonly values: readonly ValueEvidence[];
  /** Data of the text that is in no value, each with the reason. */
  readonly unused: readonly Unused[];
}

/** Longer texts are not searched. */
const CHARS_MAX = 200_000;

/** Values with more scalars are not searched. */
const LEAVES_MAX = 2_000;

/** Finds where each scalar of a repair stands, and what was not used. Searches apart from the reader, which may err. */
export function evidenceOf(
  text: string,
  repaired: Pick<Repaired, "value" | "notes">,
  schema?: JsonSchema,
): Evidence {
  const leaves = leavesOf(repaired.value);
  const rulesOf = rulesBy(repaired);
  const isSearched = text.length <= CHARS_MAX && leaves.length <= LEAVES_MAX;
  const labels = isSearched ? findLabels(text) : [];
  const locate = isSearched ? locating(text, labels) : (): TextSpan[] => [];
  const values = leaves.map((leaf) => {
    const rules = rulesOf(leaf.path);
    const isOfContract = rules.some((rule) => FROM_CONTRACT.has(rule));
    return { path: leaf.path, spans: isOfContract ? [] : locate(leaf, rules !== AS_WRITTEN), rules };
  });
  if (!isSearched) return { values, unused: [] };
  const spans = values.flatMap((value) => value.spans);
  const names = new Set(leaves.flatMap(({ steps }) => steps).map((step) => folded(step)));
  return { values, unused: findUnused(text, { labels, spans, schema, names }) };
}

/** Steps that take a value from the contract. */
const FROM_CONTRACT: ReadonlySet<string> = new Set(["default_filled", "discriminator_filled"]);

/** The steps at a path or around it, nearest first; those of the whole text are in the result's notes. */
function rulesBy({ notes }: Pick<Repaired, "notes">): (path: string) => readonly string[] {
  const byPath = groupBy(notes, (note) => note.path);
  return (path) => {
    const rules: string[] = [];
    for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/")))
      for (const note of byPath.get(at) ?? []) rules.push(note.step);
    return rules.length === 0 ? AS_WRITTEN : rules;
  };
}

const AS_WRITTEN: readonly string[] = ["as_written"];

/** Locates leaves in document order: behind the next label with the leaf's name, else behind the value before it. */
function locating(text: string, labels: readonly Label[]): (leaf: Leaf, isChanged: boolean) => TextSpan[] {
  const locate = locatorOf(text);
  const byName = groupBy(labels, (label) => folded(label.name));
  const used = new Map<string, number>();
  let cursor = 0;
  return (leaf, isChanged) => {
    if (leaf.value !== null && typeof leaf.value === "object") return [];
    const name = folded(nameOf(leaf.steps));
    const at = used.get(name) ?? 0;
    const label = byName.get(name)?.[at];
    const labelled = label === undefined || isBlank(text, label.value) ? undefined : label.value;
    const found = locate(leaf.value, cursor);
    // A changed value need not stand anywhere; what follows its name is what it was read from.
    const next = isChanged ? (labelled ?? found) : (found ?? labelled);
    const own = label && locate(leaf.value, label.value.start);
    const span = label && own && own.end <= label.value.end ? own : next;
    if (label !== undefined) used.set(name, at + 1);
    if (span === undefined) return [];
    cursor = span.end;
    return [span];
  };
}

function isBlank(text: string, { start, end }: TextSpan): boolean {
  return text.slice(start, end).trim() === "";
}

/** Data of a text that is in no value of the repair. */
interface Unused extends TextSpan {
  /** The name before it; absent for none. */
  readonly name?: string;
  /**
   * - `not_declared`: the contract has no such name;
   * - `another_value`: the contract has the name, and the repair another value for it;
   * - `left_out`: the contract has the name, and the repair no value for it;
   * - `unnamed`: a number or quoted text without a name, in prose or beside the value.
   */
  readonly reason: "not_declared" | "another_value" | "left_out" | "unnamed";
}

/** Maximum number of entries. */
const UNUSED_MAX = 200;

const DATA = /(?<![\p{L}\p{N}_])-?\d+(?:[.,]\d+)*(?![\p{L}\p{N}_])|"[^"\\\n]{1,200}"/gu;

/** Finds named values, numbers and quoted texts that no used range touches. */
function findUnused(
  text: string,
  {
    labels,
    spans,
    schema,
    names,
  }: {
    readonly labels: readonly Label[];
    readonly spans: readonly TextSpan[];
    readonly schema: JsonSchema | undefined;
    /** Names of the repair's members, folded. */
    readonly names: ReadonlySet<string>;
  },
): Unused[] {
  const declared = schema === undefined ? undefined : namesOf(schema);
  const reasonOf = (name: string): Unused["reason"] => {
    if (declared?.has(name) !== true) return "not_declared";
    return names.has(name) ? "another_value" : "left_out";
  };
  const free: (string | undefined)[] = text.split("");
  const take = ({ start, end }: TextSpan): void => void free.fill(undefined, start, end);
  const known = [...spans, ...labels.map(({ at }) => at)];
  known.forEach(take);
  const named = labels
    .filter(({ value: { start, end } }) => end > start && !free.slice(start, end).includes(undefined))
    .map(({ name, value }): Unused => ({ ...value, name, reason: reasonOf(folded(name)) }));
  for (const span of [...known, ...named]) take(withQuotes(text, span));
  // A line's end, which no data goes across, stands for each character that was taken.
  const rest = free.map((char) => char ?? "\n").join("");
  const unnamed = [...rest.matchAll(DATA)].map(({ 0: { length }, index }): Unused => ({
    start: index,
    end: index + length,
    reason: "unnamed",
  }));
  return [...named, ...unnamed].toSorted((a, b) => a.start - b.start).slice(0, UNUSED_MAX);
}

/** A range with the quotes around it. */
function withQuotes(text: string, { start, end }: TextSpan): TextSpan {
  const before = /[\\"'`]*$/.exec(text.slice(Math.max(0, start - 8), start))?.[0].length ?? 0;
  const after = /^[\\"'`]*/.exec(text.slice(end, end + 8))?.[0].length ?? 0;
  return { start: start - before, end: end + after };
}

/** A name with the text that follows it. */
interface Label {
  readonly name: string;
  /** Range of the name. */
  readonly at: TextSpan;
  /** Range of the value's text: to the end of its string, item or line. */
  readonly value: TextSpan;
}

/** A quoted name before a colon, or a bare one where a line or a member begins. */
const LABEL =
  /(["'`])([^"'`\\\n:{}[\]]{1,80})\\*\1\s{0,9}(?::|=>|=|->)|(?<=^|[\n{[(,;|>]|\\n)[ \t]*(?:[-*+•][ \t]+)?[*_:]{0,3}([\p{L}_$][\p{L}\p{N}_. -]{0,60}?)[*_]{0,3}[ \t]*(?::(?!\/\/)|=>?|->)[*_]{0,3}/gu;

/** Maximum length of a value's text. */
const VALUE_CHARS_MAX = 4_000;

/** Finds all names in a text that a value follows: of members, lines, variables and arguments. */
function findLabels(text: string): Label[] {
  return [...text.matchAll(LABEL)].map((found) => {
    const name = found[2] ?? found[3] ?? "";
    const start = found.index + found[0].indexOf(name);
    const after = found.index + found[0].length;
    return { name, at: { start, end: start + name.length }, value: valueAfter(text, after) };
  });
}

const QUOTED = /^\s*\\*(["'`])((?:\\.|(?!\1)[^\\])*?)\\*\1/s;

const BARE = /^[ \t]*([^\n,;{}[\]<|]*)/;

function valueAfter(text: string, from: number): TextSpan {
  const rest = text.slice(from, from + VALUE_CHARS_MAX);
  const quoted = QUOTED.exec(rest);
  const inner = quoted?.[2] ?? BARE.exec(rest)?.[1]?.trimEnd() ?? "";
  const whole = quoted?.[0] ?? rest;
  const start = from + (inner === "" ? 0 : whole.indexOf(inner));
  return { start, end: start + inner.length };
}
