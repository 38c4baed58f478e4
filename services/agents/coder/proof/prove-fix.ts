import { applyDiff } from "../diff/apply-diff.ts";
import { parseDiff } from "../diff/parse-diff.ts";
import { writeDiff } from "../diff/write-diff.ts";
import { readText } from "../checkout/read-text.ts";
import { PROOF_LIMITS_DEFAULT } from "../limits.ts";
import type { ProofLimits } from "../limits.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";
import { findBorrowedValues } from "./borrowed-values.ts";
import { listChangedLines } from "./changed-lines.ts";
import type { ChangedLine } from "./changed-lines.ts";
import { listMutants } from "./list-mutants.ts";
import type { Mutant } from "./list-mutants.ts";
import type { FixProof } from "./proof.ts";

/** A fix with which every test passes, and what is known besides. */
export interface GreenFix {
  /** The trial that was green, its diff and the tests that the team wrote included. */
  readonly trial: Trial & { readonly diff: string };
  readonly second_test: FixProof["second_test"];
  readonly rivals: number;
  /** Texts of the tests that the fix was written against. */
  readonly tests: string;
  readonly limits?: ProofLimits;
}

/** Puts a green fix to the proof: repeats the suite, and puts faults into the changed lines that tests have to notice. */
export async function proveFix({ trial, tests, limits = PROOF_LIMITS_DEFAULT, ...known }: GreenFix): Promise<FixProof> {
  const texts = await readTexts(trial);
  const changed = texts.flatMap(({ path, before, after }) => listChangedLines(path, before, after));
  const measured = { ...trial, coverageOf: changed };
  let failed_repeats = 0;
  let coverage: FixProof["coverage"] = null;
  const startedAt = performance.now();
  // The trial that was green is the first of the repeats.
  for (let repeat = 1; repeat < limits.repeats; repeat += 1) {
    const result = await tryDiff(repeat === 1 ? measured : trial);
    if (result.verdict !== "green") failed_repeats += 1;
    coverage ??= result.coverage ?? null;
  }
  const runMs = (performance.now() - startedAt) / Math.max(1, limits.repeats - 1);
  const before = texts.map((one) => one.before).join("\n");
  return {
    ...known,
    repeats: limits.repeats,
    failed_repeats,
    coverage,
    borrowed: findBorrowedValues(changed, { before, tests }),
    ...(failed_repeats > 0 ? NO_MUTANTS : await tryMutants(withTime(trial, runMs), texts, changed, limits)),
  };
}

/** A mutant may never end: it gets many times what the suite takes. One that is stopped is undecided and proves nothing. */
function withTime<Given extends Trial>(trial: Given, runMs: number): Given {
  const timeMs = Math.ceil(MUTANT_MS_MIN + MUTANT_TIMES * runMs);
  const { suiteMs, commandMs } = trial.limits;
  const limits = { ...trial.limits, suiteMs: Math.min(suiteMs, timeMs), commandMs: Math.min(commandMs, timeMs) };
  return { ...trial, limits };
}

const MUTANT_MS_MIN = 3000;
const MUTANT_TIMES = 5;

const NO_MUTANTS: Pick<FixProof, "mutants" | "survivors"> = {
  mutants: { tried: 0, killed: 0, undecided: 0 },
  survivors: [],
};

interface PatchedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

async function readTexts({ root, diff, checkoutLimits }: GreenFix["trial"]): Promise<PatchedText[]> {
  const parsed = parseDiff(diff);
  const before = new Map<string, string | null>();
  for (const { path } of parsed.ok ? parsed.files : [])
    before.set(path, await readText({ root, path, bytesMax: checkoutLimits.fileBytesMax }));
  const applied = applyDiff(diff, (path) => before.get(path) ?? null);
  if (!applied.ok) return [];
  return [...applied.files].map(([path, after]) => ({ path, before: before.get(path) ?? "", after: after ?? "" }));
}

/** Tries mutants at even steps through all of them, each with a copy of its own, until the time is over. */
async function tryMutants(
  trial: Trial,
  texts: readonly PatchedText[],
  changed: readonly ChangedLine[],
  limits: ProofLimits,
): Promise<Pick<FixProof, "mutants" | "survivors">> {
  const originals = new Set(texts.flatMap(({ before }) => before.split("\n")));
  // A fault that gives the line back as it was is what the tests were red at before.
  const all = changed.flatMap(listMutants).filter(({ mutated }) => !originals.has(mutated));
  const step = Math.max(1, all.length / limits.mutantsMax);
  const chosen = all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const counts = { tried: 0, killed: 0, undecided: 0 };
  const survivors: { path: string; line: number; mutated: string }[] = [];
  const endsAt = performance.now() + limits.proofMs;
  for (const mutant of chosen) {
    if (performance.now() > endsAt) break;
    const { verdict, report } = await tryDiff({ ...trial, diff: mutate(texts, mutant) });
    counts.tried += 1;
    if (verdict === "green") survivors.push({ path: mutant.path, line: mutant.line, mutated: mutant.mutated.slice(0, 300) });
    else if (report === null || isUndecided(report)) counts.undecided += 1;
    else counts.killed += 1;
  }
  return { mutants: counts, survivors: survivors.slice(0, 10) };
}

/** A mutant that did not load or ran into a bound was not noticed by a test. */
function isUndecided(report: NonNullable<Awaited<ReturnType<typeof tryDiff>>["report"]>): boolean {
  return !report.failing.some(({ kind }) => kind === "assertion" || kind === "exception");
}

function mutate(texts: readonly PatchedText[], { path, line, mutated }: Mutant): string {
  return texts
    .map((text) => {
      const lines = text.after.split("\n");
      const after = text.path === path ? lines.with(line - 1, mutated).join("\n") : text.after;
      return writeDiff(text.path, text.before, after);
    })
    .join("");
}
