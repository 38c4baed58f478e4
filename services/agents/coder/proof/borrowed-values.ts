import type { ChangedLine } from "./changed-lines.ts";

const VALUE = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`$\\]*`|\b\d+(?:\.\d+)?\b/g;
const BORROWED_MAX = 5;
/** Numbers that stand in most code and most tests. */
const COMMON = new Set(["0", "1", "2"]);

/**
 * Finds values that a fix writes, that its files did not have, and that the tests have: a fix which asks for a test's
 * input by name kills every mutant and is right for nothing else.
 */
export function findBorrowedValues(
  changed: readonly ChangedLine[],
  { before, tests }: { readonly before: string; readonly tests: string },
): string[] {
  const known = valuesOf(before);
  const tested = valuesOf(tests);
  const written = changed.flatMap(({ text }) => [...valuesOf(text)]);
  return [...new Set(written)]
    .filter((value) => !COMMON.has(value) && value.length > 0 && !known.has(value) && tested.has(value))
    .slice(0, BORROWED_MAX)
    .map((value) => value.slice(0, 80));
}

function valuesOf(text: string): Set<string> {
  return new Set([...text.matchAll(VALUE)].map(([value]) => value.replace(/^["'`]|["'`]$/g, "")));
}
