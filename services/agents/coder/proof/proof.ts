import { z } from "zod";

/** A line with a small change in it. */
const place = z.object({ path: z.string().max(400), line: z.int(), mutated: z.string().max(300) });

/** What a green fix went through besides the suite. */
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
