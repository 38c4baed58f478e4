import type { JsonSchema } from "#shared/json";
import { namesOf } from "../align/match-names.ts";
import { folded } from "../align/match-words.ts";
import type { Label, TextSpan } from "./find-labels.ts";

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
