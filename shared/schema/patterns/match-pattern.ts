import { kept } from "#shared/json";
import { parsePattern, regExpOf } from "./parse-pattern.ts";
import { Search } from "./search.ts";
import type { Meter, Part } from "./search.ts";

export type Matched = "yes" | "no" | "malformed" | "too_costly";

/** Longer patterns are not matched. */
const PATTERN_CHARS_MAX = 4096;
/** Longer texts are not matched. */
const TEXT_CHARS_MAX = 65_536;
/** Maximum steps of one match. */
const STEPS_MAX = 250_000;
/** Maximum cost of a match by the native engine, in steps. */
const NATIVE_STEPS_MAX = 200;
/** Characters that the native engine compares in the time of a step. */
const NATIVE_PER_STEP = 64;

interface Compiled {
  readonly regExp: RegExp;
  /** The most that the native engine may compare, by the length of the text. */
  readonly comparisonsMax: (chars: number) => number;
  /** Our own matcher; undefined when unsupported. */
  readonly part: Part | undefined;
}

/** By pattern; null for a malformed one. */
const compiled = new Map<string, Compiled | null>();
const COMPILED_MAX = 500;

/**
 * Whether a text matches a pattern of a schema, in bounded time whoever wrote the pattern. Node's engine can take
 * exponential time, so it runs only where the number of ways through the pattern shows that it cannot here; elsewhere
 * our own search does, whose work is linear in the text.
 *
 * @param meter - Is told the steps that were taken, and ends the match once it is empty.
 */
export function matchesPattern(text: string, pattern: string, meter?: Meter): Matched {
  if (pattern.length > PATTERN_CHARS_MAX || text.length > TEXT_CHARS_MAX) return "too_costly";
  const known = kept(compiled, pattern, compile);
  if (known === null) return "malformed";
  const native = 1 + Math.ceil(known.comparisonsMax(text.length) / NATIVE_PER_STEP);
  if (native <= NATIVE_STEPS_MAX) {
    if (meter !== undefined) meter.left -= native;
    return known.regExp.test(text) ? "yes" : "no";
  }
  if (known.part === undefined) return "too_costly";
  const steps = { left: Math.min(STEPS_MAX, meter?.left ?? STEPS_MAX) };
  const before = steps.left;
  const points = Array.from(text, (char) => char.codePointAt(0) ?? 0);
  const isFound = Search.find(points, known.part, steps);
  if (meter !== undefined) meter.left -= before - steps.left;
  if (isFound === undefined) return "too_costly";
  return isFound ? "yes" : "no";
}

function compile(pattern: string): Compiled | null {
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  try {
    return {
      regExp: regExpOf(pattern),
      comparisonsMax: comparisonsOf(pattern),
      part: parsePattern(pattern),
    };
  } catch {
    return null;
  }
}

/**
 * Bounds what the native engine compares: starts, times ways through the pattern, times the length of one. Unbounded
 * for repeated groups, look-around and back references, whose ways are not counted.
 */
function comparisonsOf(pattern: string): (chars: number) => number {
  const plain = pattern.replaceAll(/\\./gs, "x").replaceAll(/\[[^\]]*\]/g, "x");
  if (/\)[*+?{]|\(\?<?[=!]/.test(plain) || /\\[1-9k]/.test(pattern)) return () => Number.POSITIVE_INFINITY;
  const open = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  // Each choice multiplies the ways: a bounded repeat by its counts, an alternative and an optional by two.
  const ways = [...plain.matchAll(/\{(\d+),(\d+)\}|[?|]/g)].reduce(
    (product, [, least, most]) => product * (most === undefined ? 2 : Number(most) - Number(least) + 1),
    1,
  );
  const starts = pattern.startsWith("^") && !plain.includes("|") ? 0 : 1;
  return (chars) => ways * (chars + 1) ** (open + starts) * (chars + plain.length);
}
