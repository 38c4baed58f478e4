import { z } from "zod";

/** A line with a small change in it. */
const place = z.object({ path: z.string().max(400), line: z.int(), mutated: z.string().max(300) });

/** What a green fix went through besides the suite. */
export const fixProof = z.object({
  /** Runs of the suite with the fix. */
  repeats: z.int().nonnegative(),
  /** Runs of them that were not green. */
  failed_repeats: z.int().nonnegative(),
  mutants: z.object({
    /** Mutants of the changed lines that ran. */
    tried: z.int().nonnegative(),
    killed: z.int().nonnegative(),
    /** Neither killed nor survived: they did not load, or ran into a bound. */
    undecided: z.int().nonnegative(),
  }),
  /** Changes of the fix that no test noticed. */
  survivors: z.array(place).max(10),
  /** Result of the second, independently written test: red without the fix, and with it green or still red. */
  second_test: z.enum(["none", "green", "red"]),
  /** Other proposed fixes, in other lines, with which every test passes too. */
  rivals: z.int().nonnegative(),
  /** A small change elsewhere that turns every test green in the place of the fix. Null: none was found. */
  alternative: place.nullable(),
  /** Small changes elsewhere that were tried in the place of the fix. */
  alternatives_tried: z.int().nonnegative(),
  /** Different tests that noticed the bug or a fault in the fix. */
  witnesses: z.int().nonnegative(),
  /** Values that the fix takes over from the tests. */
  borrowed: z.array(z.string().max(80)).max(5),
  /** Changed lines, and how many of them the suite runs. Null: the runner cannot tell. */
  coverage: z.object({ lines: z.int(), ran: z.int() }).nullable(),
});

export type FixProof = z.output<typeof fixProof>;
