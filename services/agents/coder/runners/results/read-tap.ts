import type { RawTest } from "./raw-test.ts";

const RESULT = /^(not )?ok\b(?:\s+\d+)?(?:\s+-)?\s*([^#\n]*?)(?:\s*#\s*(skip|todo)\b.*)?$/i;
const PLAN = /^1\.\.(\d+)/;

/**
 * Reads the tests of a report in the Test Anything Protocol: results of the outermost level, each with the lines
 * that follow it. Skipped and open ones are left out. A report that has fewer results than it announces, bails out or
 * announces none is read as failing.
 */
export function readTap(text: string): RawTest[] {
  const tests: RawTest[] = [];
  let planned: number | null = null;
  let results = 0;
  let open: { name: string; lines: string[] } | null = null;
  const close = (): void => {
    if (open !== null)
      tests.push({ file: "", name: open.name, hasPassed: false, line: 0, text: open.lines.join("\n") });
    open = null;
  };
  for (const line of text.split("\n")) {
    const plan = PLAN.exec(line);
    if (plan !== null) planned ??= Number(plan[1]);
    const result = RESULT.exec(line);
    const isBail = line.startsWith("Bail out!");
    if (result === null && !isBail) {
      open?.lines.push(line);
      continue;
    }
    close();
    if (isBail) return [...tests, incomplete(line)];
    results += 1;
    const [, failed, name = "", directive] = result ?? [];
    if (directive !== undefined) continue;
    if (failed === undefined) tests.push({ file: "", name, hasPassed: true, line: 0, text: "" });
    else open = { name, lines: [line] };
  }
  close();
  if (results === 0) return [];
  return planned === results
    ? tests
    : [...tests, incomplete(`${results} of ${planned ?? "an unknown number of"} tests were reported.`)];
}

function incomplete(text: string): RawTest {
  return { file: "", name: "the report is whole", hasPassed: false, line: 0, text };
}
