import { applyDiff } from "../diff/apply-diff.ts";
import { parseDiff } from "../diff/parse-diff.ts";
import { writeDiff } from "../diff/write-diff.ts";
import { readText } from "../checkout/read-text.ts";
import type { ProofLimits } from "../limits.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";
import type { FailingTest } from "../trial/report.ts";
import { findBorrowedValues } from "./borrowed-values.ts";
import { listChangedLines } from "./changed-lines.ts";
import type { ChangedLine } from "./changed-lines.ts";
import { listAlternatives } from "./list-alternatives.ts";
import type { PatchedText } from "./list-alternatives.ts";
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
  readonly limits: ProofLimits;
}

/**
 * Puts a green fix to the proof: repeats the suite, puts faults into the changed lines that tests have to notice, and
 * looks for small changes elsewhere that tests would take for a fix as well.
 */
export async function proveFix({ trial, tests, limits, ...known }: GreenFix): Promise<FixProof> {
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
    ...(failed_repeats > 0
      ? NO_MUTANTS
      : await tryFaults(withTime(trial, runMs), { texts, changed, limits })),
  };
}

/** A mutant may never end: it gets many times what the suite takes. One that is stopped proves nothing. */
function withTime<Given extends Trial>(trial: Given, runMs: number): Given {
  const timeMs = Math.ceil(MUTANT_MS_MIN + MUTANT_TIMES * runMs);
  const { suiteMs, commandMs } = trial.limits;
  const limits = {
    ...trial.limits,
    suiteMs: Math.min(suiteMs, timeMs),
    commandMs: Math.min(commandMs, timeMs),
  };
  return { ...trial, limits };
}

const MUTANT_MS_MIN = 3000;
const MUTANT_TIMES = 5;

const NO_MUTANTS: Pick<
  FixProof,
  "mutants" | "survivors" | "witnesses" | "alternative" | "alternatives_tried"
> = {
  mutants: { tried: 0, killed: 0, undecided: 0 },
  survivors: [],
  witnesses: 0,
  alternative: null,
  alternatives_tried: 0,
};

async function readTexts({ root, diff, checkoutLimits }: GreenFix["trial"]): Promise<PatchedText[]> {
  const parsed = parseDiff(diff);
  const before = new Map<string, string | null>();
  for (const { path } of parsed.ok ? parsed.files : [])
    before.set(path, await readText({ root, path, bytesMax: checkoutLimits.fileBytesMax }));
  const applied = applyDiff(diff, (path) => before.get(path) ?? null);
  if (!applied.ok) return [];
  return [...applied.files].map(([path, after]) => ({
    path,
    before: before.get(path) ?? "",
    after: after ?? "",
  }));
}

interface Patched {
  readonly texts: readonly PatchedText[];
  readonly changed: readonly ChangedLine[];
  readonly limits: ProofLimits;
}

/** Tries faults in the fix, then small changes in its place, until the time is over. */
async function tryFaults(trial: Trial, patched: Patched): Promise<typeof NO_MUTANTS> {
  const endsAt = performance.now() + patched.limits.proofMs;
  const mutants = await tryMutants(trial, patched, endsAt);
  const { killedMin, witnessesMin } = patched.limits;
  const isWeak = mutants.survivors.length > 0 || mutants.mutants.killed < killedMin;
  // Tests that do not even hold the fix's own lines choose between no fixes.
  if (isWeak || mutants.witnesses < witnessesMin) return { ...NO_MUTANTS, ...mutants };
  return { ...mutants, ...(await tryAlternatives(trial, patched, endsAt)) };
}

async function tryMutants(
  trial: Trial,
  { texts, changed, limits }: Patched,
  endsAt: number,
): Promise<Pick<FixProof, "mutants" | "survivors" | "witnesses">> {
  const originals = new Set(texts.flatMap(({ before }) => before.split("\n")));
  // A fault that gives the line back as it was is what the tests were red at before.
  const all = changed.flatMap(listMutants).filter(({ mutated }) => !originals.has(mutated));
  const counts = { tried: 0, killed: 0, undecided: 0 };
  const survivors: Mutant[] = [];
  const witnesses = new Set((trial.before?.failing ?? []).filter(isNoticed).map(nameOf));
  for (const mutant of takeEvenly(all, limits.mutantsMax)) {
    if (performance.now() > endsAt) break;
    const { verdict, report } = await tryDiff({ ...trial, diff: diffWith(texts, mutant) });
    counts.tried += 1;
    const noticed = (report?.failing ?? []).filter(isNoticed);
    for (const test of noticed) witnesses.add(nameOf(test));
    if (verdict === "green") survivors.push(mutant);
    else if (noticed.length === 0) counts.undecided += 1;
    else counts.killed += 1;
  }
  return { mutants: counts, survivors: survivors.slice(0, 10).map(toPlace), witnesses: witnesses.size };
}

/** Tries small changes near the fix in its place. One that turns every test green is enough: they cannot choose. */
async function tryAlternatives(
  trial: Trial,
  { texts, limits }: Patched,
  endsAt: number,
): Promise<Pick<FixProof, "alternative" | "alternatives_tried">> {
  let alternatives_tried = 0;
  for (const { mutant, base } of takeEvenly(
    listAlternatives(texts, limits.alternativeLines),
    limits.alternativesMax,
  )) {
    if (performance.now() > endsAt) break;
    const { verdict } = await tryDiff({ ...trial, diff: diffWith(base, mutant) });
    alternatives_tried += 1;
    if (verdict === "green") return { alternative: toPlace(mutant), alternatives_tried };
  }
  return { alternative: null, alternatives_tried };
}

function toPlace({ path, line, mutated }: Mutant): { path: string; line: number; mutated: string } {
  return { path, line, mutated: mutated.slice(0, 300) };
}

/** A test noticed a fault when it ran and said no; one that did not load, or ran into a bound, says nothing. */
function isNoticed({ kind }: FailingTest): boolean {
  return kind === "assertion" || kind === "exception";
}

function nameOf({ file, name }: FailingTest): string {
  return `${file}: ${name}`;
}

/** Takes at most so many, at even steps. */
function takeEvenly<Item>(items: readonly Item[], max: number): Item[] {
  const step = Math.max(1, items.length / max);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function diffWith(texts: readonly PatchedText[], { path, line, mutated }: Mutant): string {
  return texts
    .map((text) => {
      const lines = text.after.split("\n");
      const after = text.path === path ? lines.with(line - 1, mutated).join("\n") : text.after;
      return writeDiff(text.path, text.before, after);
    })
    .join("");
}
