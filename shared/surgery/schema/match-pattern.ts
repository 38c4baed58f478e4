import { backtrack } from "./backtrack.ts";
import type { Matched } from "./backtrack.ts";

/** Longer patterns are not tried. */
const PATTERN_CHARS_MAX = 4096;
/** Longer texts are not held against a pattern. */
const TEXT_CHARS_MAX = 65_536;

const compiled = new Map<string, { readonly regExp: RegExp; readonly isTame: boolean } | undefined>();
const COMPILED_MAX = 500;

/**
 * Whether a text matches a pattern of a schema, in bounded time whoever wrote the pattern.
 *
 * Node's engine can take exponential time on patterns with repeated repeats, so those run on our own matcher,
 * which counts its steps. A pattern with at most one open repeat is at worst quadratic and runs natively.
 */
export function matchesPattern(text: string, pattern: string): Matched {
  if (pattern.length > PATTERN_CHARS_MAX || text.length > TEXT_CHARS_MAX) return "too_costly";
  const known = compiled.has(pattern) ? compiled.get(pattern) : compile(pattern);
  if (known === undefined) return "malformed";
  if (known.isTame && text.length <= 4096) return known.regExp.test(text) ? "yes" : "no";
  return backtrack(text, pattern);
}

function compile(pattern: string): { readonly regExp: RegExp; readonly isTame: boolean } | undefined {
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  const made = construct(pattern);
  compiled.set(pattern, made);
  return made;
}

function construct(pattern: string): { readonly regExp: RegExp; readonly isTame: boolean } | undefined {
  for (const flags of ["u", ""]) {
    try {
      return { regExp: new RegExp(pattern, flags), isTame: isTame(pattern) };
    } catch {
      // Patterns from elsewhere are often valid only without the unicode flag.
    }
  }
  return undefined;
}

/**
 * At most one open repeat, no repeated group (`(a|a)*`), no bounded repeat above 100, and no back reference.
 */
function isTame(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./gs, "x").replaceAll(/\[[^\]]*\]/g, "x");
  const repeats = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const counts = [...plain.matchAll(/\{(\d+)(?:,(\d+))?\}/g)].map((match) => Number(match[2] ?? match[1]));
  const optional = plain.match(/\?/g)?.length ?? 0;
  const isBounded = counts.every((count) => count <= 100) && counts.length <= 6 && optional <= 12;
  return repeats <= 1 && isBounded && !/\)[*+?{]/.test(plain) && !/\\[1-9k]/.test(pattern);
}
