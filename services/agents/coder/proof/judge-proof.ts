import { z } from "zod";

/** A line with a small change in it. */
const place = z.object({ path: z.string().max(400), line: z.int(), mutated: z.string().max(300) });

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
  /** Values that the fix writes and that stand in the tests it turned green. They decide nothing. */
  test_values: z.array(z.string().max(100)).max(10),
  /** Other proposals of the round with which every test passes too. */
  others_green: z.int().nonnegative(),
  /** Conditions and numbers of the changed lines that were changed. A figure for people; it decides nothing. */
  mutants: z.object({
    tried: z.int().nonnegative(),
    /** Mutants that made a test fail. */
    killed: z.int().nonnegative(),
  }),
  /** Mutants that no test noticed. */
  survivors: z.array(place).max(10),
});

export type FixProof = z.output<typeof fixProof>;

/** Decides whether a fix with which every test passes is accepted. */
export interface Judgement {
  readonly status: "accepted" | "unproven";
  /** Doubts first, then the figures. */
  readonly reasons: readonly string[];
}

/** A fix with which every test passes. */
export interface ProvenFix {
  readonly diff: string;
  readonly passed: number;
  readonly proof: FixProof;
  readonly judgement: Judgement;
}

/** Accepts a green fix when a test was red without it, in a steady suite that it left alone. @param known - Doubts. */
export function judgeProof(proof: FixProof, known: readonly string[]): Judgement {
  const { red_before, others_green, second_test, test_values, mutants, survivors } = proof;
  const doubts = [...known, ...doubtsOf(proof)];
  const [survivor] = survivors;
  const figures = [
    `${count(red_before, "test is", "tests are")} red without the fix and green with it.`,
    ...(second_test === "green" ? ["So are tests that the patcher was not shown."] : []),
    `${mutants.killed} of ${count(mutants.tried, "changed condition or number", "changed conditions and numbers")} made a test fail.`,
    ...(survivor === undefined
      ? []
      : [`No test notices \`${survivor.mutated.trim()}\` in ${survivor.path}:${survivor.line}.`]),
    ...(test_values.length > 0
      ? [`The fix writes values of the tests, which a reader may want to look at: ${test_values.join(", ")}.`]
      : []),
    ...(others_green > 0
      ? [`${count(others_green, "other proposal turns", "other proposals turn")} every test green too.`]
      : []),
  ];
  return { status: doubts.length === 0 ? "accepted" : "unproven", reasons: [...doubts, ...figures] };
}

function doubtsOf({ repeats, failed_repeats, red_before, second_test }: FixProof): string[] {
  const doubts: string[] = [];
  if (failed_repeats > 0)
    doubts.push(`The suite wavers: ${failed_repeats} of ${repeats} runs with the fix were red.`);
  if (red_before === 0) doubts.push("Every test passes without the fix too: none of them shows the bug.");
  if (second_test === "red")
    doubts.push("A test written from the report, which the patcher was not shown, stays red with the fix.");
  return doubts;
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`;
}
