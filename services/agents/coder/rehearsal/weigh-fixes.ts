import type { StandIn } from "#shared/runtime";
import { parseDiff } from "../diff/parse-diff.ts";
import type { EvaluationInput } from "../patcher/answer.ts";

/** Scores fixes by whether they touch a suspected file; among equals the order of the proposal stands. */
export const weighFixes: StandIn = ({ fixes, suspects }: EvaluationInput) => ({
  evaluations: fixes.map(({ diff }, index) => {
    const parsed = parseDiff(diff);
    const paths = parsed.ok ? parsed.files.map(({ path }) => path) : [];
    const isSuspected = suspects.some(({ path }) => paths.includes(path));
    return {
      fix: index + 1,
      correctness: isSuspected ? "It changes a suspected file." : "It changes a file that nothing points to.",
      side_effects: `It changes ${paths.length} files.`,
      score: Math.max(0, (isSuspected ? 80 : 60) - 4 * index),
    };
  }),
});
