/** Texts in quotes, and numbers. */
const VALUE = /"(?:[^"\\\n]|\\.)+"|'(?:[^'\\\n]|\\.)+'|(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g;
/** Numbers that stand in any code. */
const COMMON = new Set(["0", "1"]);
const TOLD_MAX = 10;

/**
 * Returns the values that a fix writes anew and that stand in the tests which it turned green. A right fix may have
 * some, such as the text that a test asks for; one that answers the test's own input has them all.
 *
 * @param added - The lines that the fix writes.
 * @param before - The files that it changes, as they were.
 */
export function listTestValues(added: string, before: string, tests: string): string[] {
  const [known, asked] = [valuesIn(before), valuesIn(tests)];
  return [...valuesIn(added)].filter((value) => asked.has(value) && !known.has(value)).slice(0, TOLD_MAX);
}

function valuesIn(text: string): Set<string> {
  const values = (text.match(VALUE) ?? []).map((value) => value.replaceAll(/^["']|["']$/g, "").slice(0, 100));
  return new Set(values.filter((value) => !COMMON.has(value)));
}
