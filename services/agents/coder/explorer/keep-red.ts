import type { WrittenTest } from "../contract-fields.ts";
import type { TestReport } from "../trial/report.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";
import { nameOf } from "./reproduce.ts";

/**
 * Keeps the written tests that show the bug: their file loads, and a test of it fails on the code as it is. A test that
 * passes there proves nothing about a fix.
 *
 * @param own - What the checkout's own tests say.
 */
export async function keepRed(
  tests: readonly WrittenTest[],
  {
    trial,
    own,
    taken,
  }: { readonly trial: Trial; readonly own: TestReport; readonly taken: ReadonlySet<string> },
): Promise<WrittenTest[]> {
  const kept: WrittenTest[] = [];
  for (const test of tests) {
    if (taken.has(test.path) || kept.some(({ path }) => path === test.path)) continue;
    const { report } = await tryDiff({ ...trial, written: [test] });
    if (report !== null && showsMore(report, own)) kept.push(test);
  }
  return kept;
}

function showsMore(report: TestReport, own: TestReport): boolean {
  if (report.unloaded > own.unloaded) return false;
  const known = new Set(own.failing.map(nameOf));
  return report.failing.some((test) => test.name !== "" && !known.has(nameOf(test)));
}
