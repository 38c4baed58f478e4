import { z } from "zod";
import type { TrialWork } from "../contracts.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";

/** Runs of a suite that have to give the same result: of a green one with the fix, of a red one without it. */
export const SUITE_RUNS = 3;

/** Checks of a green fix beside its suite. */
export const fixProof = z.object({
  /** Runs of the suite with the fix. */
  repeats: z.int().nonnegative(),
  /** Runs of them that were not green. */
  failed_repeats: z.int().nonnegative(),
  /** Tests that are red without the fix; all are green with it. */
  red_before: z.int().nonnegative(),
  /** Result of the tests that the patcher was not shown: red without the fix, and with it green or still red. */
  second_test: z.enum(["none", "green", "red"]),
});

export type FixProof = z.output<typeof fixProof>;

/** A diff with which every test passes. */
export interface GreenTrial {
  readonly diff: string;
  readonly passed: number;
}

/** A green diff with its proof. */
export interface ProvenFix extends GreenTrial {
  readonly proof: FixProof;
  readonly status: "accepted" | "unproven";
  /** Doubts first, then the figures. */
  readonly reasons: readonly string[];
}

/** Proves the first green diff that passes the held-out tests, else the first: red without it, green with it. */
export async function proveBest(
  green: readonly [GreenTrial, ...GreenTrial[]],
  { held_out, doubts }: Pick<TrialWork, "held_out" | "doubts">,
  trial: Trial,
): Promise<ProvenFix> {
  const all = [...(trial.written ?? []), ...held_out];
  const isGreen = async (tried: Partial<Trial>) =>
    (await tryDiff({ ...trial, ...tried })).verdict === "green";
  let agreed: GreenTrial | undefined;
  for (const one of held_out.length === 0 ? [] : green)
    if (agreed === undefined && (await isGreen({ diff: one.diff, written: all }))) agreed = one;
  const best = agreed ?? green[0];
  const written = agreed === undefined ? {} : { written: all };
  const { report } = await tryDiff({ ...trial, ...written, diff: null, before: null });
  let failed_repeats = 0;
  // The trial that was green is the first of the repeats.
  for (let repeat = 1; repeat < SUITE_RUNS; repeat += 1)
    if (!(await isGreen({ ...written, diff: best.diff }))) failed_repeats += 1;
  const proof: FixProof = {
    repeats: SUITE_RUNS,
    failed_repeats,
    red_before: report?.failed ?? 0,
    second_test: held_out.length === 0 ? "none" : agreed === undefined ? "red" : "green",
  };
  return { ...best, proof, ...judgeProof(proof, doubts) };
}

/** Accepts a green fix when a test was red without it, in a steady suite that it left alone. @param known - Doubts. */
export function judgeProof(proof: FixProof, known: readonly string[]): Pick<ProvenFix, "status" | "reasons"> {
  const { repeats, failed_repeats, red_before, second_test } = proof;
  const doubts = [...known];
  if (failed_repeats > 0)
    doubts.push(`The suite wavers: ${failed_repeats} of ${repeats} runs with the fix were red.`);
  if (red_before === 0) doubts.push("Every test passes without the fix too: none of them shows the bug.");
  if (second_test === "red")
    doubts.push("A test written from the report, which the patcher was not shown, stays red with the fix.");
  const red = red_before === 1 ? "1 test is" : `${red_before} tests are`;
  const figures = [
    `${red} red without the fix and green with it.`,
    ...(second_test === "green" ? ["So are tests that the patcher was not shown."] : []),
  ];
  return { status: doubts.length === 0 ? "accepted" : "unproven", reasons: [...doubts, ...figures] };
}
