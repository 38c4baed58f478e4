import { z } from "zod";
import { PROOF_LIMITS_DEFAULT } from "../limits.ts";
import type { FailingTest, TestReport } from "../trial/report.ts";
import { trialResult, tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";
import type { WrittenTest } from "../contracts.ts";

/** What the checkout's own tests say of it. */
const reproduction = z.object({
  first: trialResult,
  /** Names of tests that did not say the same in every run. */
  wavering: z.array(z.string()).max(12),
});

type Reproduction = z.output<typeof reproduction>;

/** Runs the checkout's tests as they are: once where they are green, else as often as a proof asks for. */
export async function reproduce(trial: Trial): Promise<Reproduction> {
  const first = await tryDiff(trial);
  if (first.report === null || first.verdict !== "red") return { first, wavering: [] };
  const runs: TestReport[] = [first.report];
  while (runs.length < PROOF_LIMITS_DEFAULT.repeats) {
    const { report } = await tryDiff(trial);
    if (report !== null) runs.push(report);
  }
  const names = runs.map((report) => new Set(report.failing.map(nameOf)));
  const all = new Set(names.flatMap((each) => [...each]));
  const wavering = [...all].filter((name) => !names.every((each) => each.has(name)));
  return { first, wavering: wavering.slice(0, 12) };
}

/** Returns a test's file and name. */
export function nameOf({ file, name }: Pick<FailingTest, "file" | "name">): string {
  return `${file}: ${name}`;
}

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
