import { kept } from "#shared/json";
import { backtrack } from "./backtrack.ts";
import type { Matched, Matcher } from "./backtrack.ts";
import { parsePattern, regExpOf } from "./parse-pattern.ts";

/** Longer patterns are not matched. */
const PATTERN_CHARS_MAX = 4096;
/** Longer texts are not matched. */
const TEXT_CHARS_MAX = 65_536;

/** Longest text for the native engine. */
const NATIVE_CHARS_MAX = 4096;

/** A work limit in remaining steps; negative when exceeded. */
export interface Meter {
  left: number;
}

interface Compiled {
  readonly regExp: RegExp;
  readonly isTame: boolean;
  /** True when an open repeat may start anywhere, so that matching may be quadratic. */
  readonly isQuadratic: boolean;
  /** Our own matcher; undefined when unsupported. */
  readonly matcher: Matcher | undefined;
}

/** By pattern; null for a malformed one. */
const compiled = new Map<string, Compiled | null>();
const COMPILED_MAX = 500;

/**
 * Whether a text matches a pattern of a schema, in bounded time whoever wrote the pattern.
 *
 * Node's engine can take exponential time on patterns with repeated repeats, so those run on our own matcher,
 * which counts its steps. A pattern with at most one open repeat is at worst quadratic and runs natively.
 *
 * @param meter - Is told the steps that were taken, and ends the match once it is empty.
 */
export function matchesPattern(text: string, pattern: string, meter?: Meter): Matched {
  if (pattern.length > PATTERN_CHARS_MAX || text.length > TEXT_CHARS_MAX) return "too_costly";
  const known = kept(compiled, pattern, compile);
  if (known === null) return "malformed";
  if (known.isTame && text.length <= NATIVE_CHARS_MAX) {
    if (meter !== undefined) meter.left -= nativeSteps(text.length, known);
    return known.regExp.test(text) ? "yes" : "no";
  }
  return known.matcher === undefined ? "too_costly" : backtrack(text, known.matcher, meter);
}

function nativeSteps(chars: number, { isQuadratic }: Compiled): number {
  return 1 + Math.ceil(isQuadratic ? chars / 8 + (chars * chars) / 128 : chars / 8);
}

function compile(pattern: string): Compiled | null {
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  try {
    const isQuadratic = !pattern.startsWith("^") && /[*+]|\{\d+,\}/.test(pattern);
    return {
      regExp: regExpOf(pattern),
      isTame: isTame(pattern),
      isQuadratic,
      matcher: parsePattern(pattern),
    };
  } catch {
    return null;
  }
}

/**
 * Safe for the native engine: at most one open repeat, no repeated group (`(a|a)*`), no bounded repeat above 100, no
 * back reference.
 */
function isTame(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./gs, "x").replaceAll(/\[[^\]]*\]/g, "x");
  const repeats = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const counts = [...plain.matchAll(/\{(\d+)(?:,(\d+))?\}/g)].map((match) => Number(match[2] ?? match[1]));
  const optional = plain.match(/\?/g)?.length ?? 0;
  const isBounded = counts.every((count) => count <= 100) && counts.length <= 6 && optional <= 12;
  return repeats <= 1 && isBounded && !/\)[*+?{]/.test(plain) && !/\\[1-9k]/.test(pattern);
}
