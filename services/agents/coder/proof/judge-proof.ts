import type { ProofLimits } from "../limits.ts";
import type { FixProof } from "./proof.ts";

/** How sure the team is of a fix with which the tests pass. */
export interface Judgement {
  readonly status: "accepted" | "unproven";
  /** What speaks for it and what against it, with counts. */
  readonly reasons: readonly string[];
}

/**
 * Judges a green fix by what it went through. It is accepted when every mutant of its lines is killed, or when a second
 * test, written without knowledge of it, turned green and most mutants are killed. One doubt is enough to leave
 * it unproven: a suite that wavers, another change that passes as well, a single example, values taken over from tests.
 *
 * @param known - Doubts from before the fix.
 */
export function judgeProof(proof: FixProof, known: readonly string[], limits: ProofLimits): Judgement {
  const { mutants, second_test, coverage } = proof;
  const decided = mutants.tried - mutants.undecided;
  const doubts = [...known, ...doubtsOf(proof, limits)];
  const isMutationProof = mutants.killed >= limits.killedMin && mutants.killed === decided;
  const share = decided === 0 ? 0 : mutants.killed / decided;
  const isSecondProof =
    second_test === "green" &&
    mutants.killed >= limits.killedMin &&
    share >= limits.killedShareWithSecondTest;
  const counts = `${mutants.killed} of ${decided} mutants of the changed lines are killed.`;
  const told = [
    counts,
    ...(second_test === "green" ? ["A second test, written without the fix, turned green."] : []),
    coverage === null
      ? "The runner does not tell which lines ran."
      : `${coverage.ran} of ${coverage.lines} changed lines ran.`,
  ];
  if (!isMutationProof && !isSecondProof) doubts.push(weaknessOf(proof, decided, limits.killedMin));
  return { status: doubts.length === 0 ? "accepted" : "unproven", reasons: [...doubts, ...told] };
}

function doubtsOf(proof: FixProof, { witnessesMin }: ProofLimits): string[] {
  const { repeats, failed_repeats, rivals, alternative, witnesses, borrowed, second_test, coverage } = proof;
  const doubts: string[] = [];
  if (failed_repeats > 0)
    doubts.push(`The suite wavers: ${failed_repeats} of ${repeats} runs with the fix were red.`);
  if (rivals > 0) doubts.push(`${rivals} other fixes, in other places, turn every test green too.`);
  if (alternative !== null)
    doubts.push(
      `Without the fix \`${alternative.mutated.trim()}\` in ${alternative.path}:${alternative.line} turns every test green too.`,
    );
  if (failed_repeats === 0 && witnesses < witnessesMin)
    doubts.push(
      `${witnesses} of at least ${witnessesMin} tests notice the bug or a fault in the fix: one example fits many fixes.`,
    );
  if (borrowed.length > 0) doubts.push(`The fix takes values over from the tests: ${borrowed.join(", ")}.`);
  if (second_test === "red")
    doubts.push("A second test, written from the report alone, stays red with the fix.");
  if (coverage !== null && coverage.ran < coverage.lines)
    doubts.push(`${coverage.lines - coverage.ran} changed lines are run by no test.`);
  return doubts;
}

function weaknessOf({ survivors }: FixProof, decided: number, killedMin: number): string {
  const [first] = survivors;
  if (first === undefined)
    return `Too few mutants of the changed lines could be judged: ${decided}, and ${killedMin} have to be killed.`;
  return `No test notices \`${first.mutated.trim()}\` in ${first.path}:${first.line}.`;
}
