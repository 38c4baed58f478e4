import type { JsonSchema } from "#shared/json";
import { namesOf } from "../align/declared-names.ts";
import { folded } from "../align/match-words.ts";
import type { TextSpan } from "./text-span.ts";
import type { Label } from "./find-labels.ts";

/** Data of a text that is in no value of the repair. */
export interface Unused extends TextSpan {
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
export function findUnused(
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
  const isUsed = coverage([...spans, ...labels.map(({ at }) => at)]);
  const named = labels
    .filter(({ value }) => value.end > value.start && !isUsed(value))
    .map(({ name, value }): Unused => ({
      ...value,
      name,
      reason: reasonOf(folded(name)),
    }));
  const unnamed = gapsOf(text, [...spans, ...labels.map(({ at }) => at), ...named]).flatMap((gap) =>
    [...text.slice(gap.start, gap.end).matchAll(DATA)].map((found): Unused => {
      const start = gap.start + found.index;
      return { start, end: start + found[0].length, reason: "unnamed" };
    }),
  );
  return [...named, ...unnamed].toSorted((a, b) => a.start - b.start).slice(0, UNUSED_MAX);
}

/** The ranges of a text between some ranges and the quotes around those. */
function gapsOf(text: string, ranges: readonly TextSpan[]): TextSpan[] {
  const gaps: TextSpan[] = [];
  let from = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const before = /[\\"'`]*$/.exec(text.slice(Math.max(0, start - 8), start))?.[0].length ?? 0;
    const after = /^[\\"'`]*/.exec(text.slice(end, end + 8))?.[0].length ?? 0;
    if (start - before > from) gaps.push({ start: from, end: start - before });
    from = Math.max(from, end + after);
  }
  return from < text.length ? [...gaps, { start: from, end: text.length }] : gaps;
}

/** Tells whether a range overlaps any of some ranges. */
function coverage(ranges: readonly TextSpan[]): (range: TextSpan) => boolean {
  const sorted = ranges.toSorted((a, b) => a.start - b.start);
  const ends: number[] = [];
  for (const { end } of sorted) ends.push(Math.max(end, ends.at(-1) ?? 0));
  return ({ start, end }) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (ends[low - 1] ?? 0) > start;
  };
}
