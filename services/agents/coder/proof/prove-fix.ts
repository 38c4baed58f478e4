import { diffLines } from "diff";
import { readText } from "../checkout/checkout-files.ts";
import type { WrittenTest, TrialWork } from "../contracts.ts";
import { readPatched } from "../diff/diff.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";
import { judgeProof } from "./judge-proof.ts";
import type { FixProof, ProvenFix } from "./judge-proof.ts";
import { isSource } from "../checkout/project-path.ts";

/** Runs that prove a fix. */
export const PROOF_LIMITS_DEFAULT = {
  /** Runs of the suite with the fix, and without it, that have to give the same result. */
  repeats: 3,
};

export type ProofLimits = Readonly<typeof PROOF_LIMITS_DEFAULT>;

/** A diff with which every test passes. */
export interface GreenTrial {
  readonly diff: string;
  readonly passed: number;
}

interface PatchedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Proves the first green diff with which the held-out tests pass too, or the first of all where there is none: runs the
 * judging tests without it, which have to be red, and again with it, which have to stay green.
 */
export async function proveBest(
  green: readonly GreenTrial[],
  known: Pick<TrialWork, "held_out" | "doubts">,
  trial: Trial,
  limits: ProofLimits = PROOF_LIMITS_DEFAULT,
): Promise<ProvenFix> {
  const { held_out, doubts } = known;
  const all = [...(trial.written ?? []), ...held_out];
  const agreed: GreenTrial[] = [];
  for (const one of green) {
    if (held_out.length === 0) agreed.push(one);
    else if ((await tryDiff({ ...trial, diff: one.diff, written: all })).verdict === "green")
      agreed.push(one);
  }
  const isAgreed = agreed.length > 0;
  const [best, ...others] = isAgreed ? agreed : green;
  if (best === undefined) throw new RangeError("There is no green diff to prove.");
  const judged = { ...trial, diff: best.diff, ...(isAgreed ? { written: all } : {}) };
  const proof: FixProof = {
    second_test: held_out.length === 0 ? "none" : isAgreed ? "green" : "red",
    others_green: others.length,
    red_before: await countRed({ ...judged, diff: null, before: null }),
    ...(await runAgain(judged, limits, await readJudges(trial, all))),
  };
  return { ...best, proof, judgement: judgeProof(proof, doubts) };
}

async function countRed(trial: Trial): Promise<number> {
  const { report } = await tryDiff(trial);
  return report?.failed ?? 0;
}

type Judged = Trial & { readonly diff: string };
type Reruns = Pick<FixProof, "repeats" | "failed_repeats" | "test_values">;

/** Returns the text of the tests that were red, those that were written included. */
async function readJudges({ root, before }: Trial, written: readonly WrittenTest[]): Promise<string> {
  const red = (before?.files ?? []).filter(({ failed }) => failed > 0);
  const texts = await Promise.all(red.map(({ file: path }) => readText({ root, path })));
  return [...texts, ...written.map(({ text }) => text)].join("\n");
}

/** Runs the suite again with the fix, and looks for values of the tests in it. */
async function runAgain(trial: Judged, { repeats }: ProofLimits, judges: string): Promise<Reruns> {
  const texts = await readTexts(trial);
  const changed = texts.flatMap(({ path, before, after }) => listAddedLines(path, before, after));
  let failed_repeats = 0;
  // The trial that was green is the first of the repeats.
  for (let repeat = 1; repeat < repeats; repeat += 1) {
    if ((await tryDiff(trial)).verdict !== "green") failed_repeats += 1;
  }
  const old = texts.map(({ before }) => before);
  const test_values = listTestValues(changed.join("\n"), old.join("\n"), judges);
  return { repeats, failed_repeats, test_values };
}

async function readTexts({ root, diff }: Judged): Promise<PatchedText[]> {
  const { before, applied } = await readPatched(root, diff);
  return [...(applied.ok ? applied.files : [])].map(([path, after]) => ({
    path,
    before: before.get(path) ?? "",
    after: after ?? "",
  }));
}

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
function listTestValues(added: string, before: string, tests: string): string[] {
  const [known, asked] = [valuesIn(before), valuesIn(tests)];
  return [...valuesIn(added)].filter((value) => asked.has(value) && !known.has(value)).slice(0, TOLD_MAX);
}

function valuesIn(text: string): Set<string> {
  const values = (text.match(VALUE) ?? []).map((value) => value.replaceAll(/^["']|["']$/g, "").slice(0, 100));
  return new Set(values.filter((value) => !COMMON.has(value)));
}

/** Returns the lines of code that are new in a file; lines without any word or operator are left out. */
function listAddedLines(path: string, before: string, after: string): string[] {
  if (!isSource(path)) return [];
  return diffLines(before, after)
    .flatMap(({ value, added }) => (added ? value.split("\n") : []))
    .filter((text) => /[\w<>=+\-*/!]/.test(text) && !isComment(text));
}

function isComment(text: string): boolean {
  return /^\s*(?:\/\/|\/?\*)/.test(text);
}
