import { diffLines } from "diff";
import { readText } from "../checkout/checkout-files.ts";
import type { WrittenTest, TrialWork } from "../contracts.ts";
import { readPatched, writeDiff } from "../diff/diff.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";
import { judgeProof } from "./judge-proof.ts";
import type { FixProof, ProvenFix } from "./judge-proof.ts";
import { isSource } from "../checkout/project-path.ts";

/** Runs that prove a fix. */
export const PROOF_LIMITS_DEFAULT = {
  /** Runs of the suite with the fix, and without it, that have to give the same result. */
  repeats: 3,
  /** Conditions and numbers of the changed lines that are changed in turn. */
  mutantsMax: 8,
  /** Time after which no further mutant is tried, in milliseconds. */
  proofMs: 120_000,
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

/** Proves the first green diff that passes the held-out tests, else the first: red without it, green with it. */
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
type Reruns = Pick<FixProof, "repeats" | "failed_repeats" | "test_values" | "mutants" | "survivors">;

/** Returns the text of the tests that were red, those that were written included. */
async function readJudges({ root, before }: Trial, written: readonly WrittenTest[]): Promise<string> {
  const red = (before?.files ?? []).filter(({ failed }) => failed > 0);
  const texts = await Promise.all(red.map(({ file: path }) => readText({ root, path })));
  return [...texts, ...written.map(({ text }) => text)].join("\n");
}

/** Runs the suite again with the fix, and then with each of its conditions and numbers changed. */
async function runAgain(
  trial: Judged,
  { repeats, mutantsMax, proofMs }: ProofLimits,
  judges: string,
): Promise<Reruns> {
  const texts = await readTexts(trial);
  const changed = texts.flatMap(({ path, before, after }) => listChangedLines(path, before, after));
  const startedAt = performance.now();
  let failed_repeats = 0;
  // The trial that was green is the first of the repeats.
  for (let repeat = 1; repeat < repeats; repeat += 1) {
    if ((await tryDiff(trial)).verdict !== "green") failed_repeats += 1;
  }
  const runMs = (performance.now() - startedAt) / Math.max(1, repeats - 1);
  const all = failed_repeats > 0 ? [] : mutantsOf(changed, texts).slice(0, mutantsMax);
  const bounded = withTime(trial, runMs);
  const survivors: Mutant[] = [];
  let tried = 0;
  for (const mutant of all) {
    if (performance.now() - startedAt > proofMs) break;
    const { verdict } = await tryDiff({ ...bounded, diff: diffWith(texts, mutant) });
    tried += 1;
    if (verdict === "green") survivors.push(mutant);
  }
  const places = survivors.slice(0, 10).map(({ path, line, mutated }) => ({
    path,
    line,
    mutated: mutated.slice(0, 300),
  }));
  const mutants = { tried, killed: tried - survivors.length };
  const [added, old] = [changed.map(({ text }) => text), texts.map(({ before }) => before)];
  const test_values = listTestValues(added.join("\n"), old.join("\n"), judges);
  return { repeats, failed_repeats, test_values, mutants, survivors: places };
}

function mutantsOf(changed: readonly ChangedLine[], texts: readonly PatchedText[]): Mutant[] {
  const originals = new Set(texts.flatMap(({ before }) => before.split("\n")));
  // A mutant that gives the line back as it was is what the tests were red at before.
  return changed.flatMap(listMutants).filter(({ mutated }) => !originals.has(mutated));
}

const MUTANT_MS_MIN = 3000;
const MUTANT_TIMES = 5;

/** Bounds the time of a mutant, which may never end, by what the suite took. */
function withTime(trial: Judged, runMs: number): Judged {
  const { start } = trial.limits;
  const timeMs = Math.min(start.timeMs, Math.ceil(MUTANT_MS_MIN + MUTANT_TIMES * runMs));
  return { ...trial, limits: { ...trial.limits, start: { ...start, timeMs } } };
}

async function readTexts({ root, diff }: Judged): Promise<PatchedText[]> {
  const { before, applied } = await readPatched(root, diff);
  return [...(applied.ok ? applied.files : [])].map(([path, after]) => ({
    path,
    before: before.get(path) ?? "",
    after: after ?? "",
  }));
}

function diffWith(texts: readonly PatchedText[], { path, line, mutated }: Mutant): string {
  const withMutant = (text: string): string =>
    text
      .split("\n")
      .with(line - 1, mutated)
      .join("\n");
  return texts
    .map((text) =>
      writeDiff(text.path, text.before, text.path === path ? withMutant(text.after) : text.after),
    )
    .join("");
}

/** Texts in quotes, and numbers. */
const VALUE = /"(?:[^"\\\n]|\\.)+"|'(?:[^'\\\n]|\\.)+'|(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g;
/** Numbers that stand in any code. */
const COMMON = new Set(["0", "1"]);
const TOLD_MAX = 10;

/**
 * Returns the values that a fix writes anew and that the tests it turned green hold. A right fix may have some; one
 * that answers a test's own input has them all. @param before - The files that it changes, as they were.
 */
function listTestValues(added: string, before: string, tests: string): string[] {
  const [known, asked] = [valuesIn(before), valuesIn(tests)];
  return [...valuesIn(added)].filter((value) => asked.has(value) && !known.has(value)).slice(0, TOLD_MAX);
}

function valuesIn(text: string): Set<string> {
  const values = (text.match(VALUE) ?? []).map((value) => value.replaceAll(/^["']|["']$/g, "").slice(0, 100));
  return new Set(values.filter((value) => !COMMON.has(value)));
}

interface ChangedLine {
  readonly path: string;
  /** In the new file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Returns the lines of code that are new in a file; lines without any word or operator are left out. */
export function listChangedLines(path: string, before: string, after: string): ChangedLine[] {
  if (!isSource(path)) return [];
  const changed: ChangedLine[] = [];
  let line = 1;
  for (const { value, added, removed, count } of diffLines(before, after)) {
    if (removed) continue;
    if (added) {
      const texts = value.replace(/\n$/, "").split("\n");
      changed.push(...texts.map((text, index) => ({ path, line: line + index, text })));
    }
    line += count;
  }
  return changed.filter(({ text }) => /[\w<>=+\-*/!]/.test(text) && !isComment(text));
}

function isComment(text: string): boolean {
  return /^\s*(?:\/\/|\/?\*)/.test(text);
}

/** A line with one condition or number changed. */
interface Mutant extends ChangedLine {
  readonly mutated: string;
}

/** Strings and comments, which are passed over, then numbers, words and operators of conditions. */
const TOKEN = new RegExp(
  [
    String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`(?:[^`\\\\]|\\\\.)*`",
    String.raw`\/\/.*`,
    String.raw`(?<number>\b\d+(?:\.\d+)?\b)`,
    String.raw`(?<word>[A-Za-z_$][\w$]*)`,
    String.raw`=>|<<|>>|(?<operator>===|!==|<=|>=|==|!=|&&|\|\||[<>])`,
  ].join("|"),
  "g",
);

/** Replacements of the operators and words of a condition, by what they replace. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["==", "!="],
  ["!=", "=="],
  ["===", "!=="],
  ["!==", "==="],
  ["&&", "||"],
  ["||", "&&"],
  ["true", "false"],
  ["false", "true"],
]);

/** Returns a line with each of its conditions and numbers changed, one at a time. */
export function listMutants(changed: ChangedLine): Mutant[] {
  const { text } = changed;
  return [...text.matchAll(TOKEN)].flatMap(({ index, 0: token, groups }) => {
    const isNumber = groups?.["number"] !== undefined;
    const other = isNumber ? String(Number(token) + 1) : OTHERS.get(token);
    if (other === undefined) return [];
    return [{ ...changed, mutated: text.slice(0, index) + other + text.slice(index + token.length) }];
  });
}
