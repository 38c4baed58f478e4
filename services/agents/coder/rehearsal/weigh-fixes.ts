import type { StandIn } from "#shared/runtime";
import { parseDiff } from "../diff/parse-diff.ts";
import type { EvaluationInput } from "../patcher/answer.ts";

/**
 * Weighs fixes by what can be read off them: whether they touch what is under suspicion, how much they change,
 * and whether an interface changes with it. Among like ones the order of the proposal stands.
 */
export const weighFixes: StandIn = ({ fixes, suspects, failing }: EvaluationInput) => ({
  evaluations: fixes.map(({ diff }, index) => {
    const { lines, paths, interfaces } = measure(diff);
    const isSuspected = paths.some((path) => suspects.some((one) => one.path === path));
    const isOnStack = paths.some((path) =>
      failing.some(({ frames }) => frames.some((frame) => frame.path === path)),
    );
    const score =
      60 -
      4 * index +
      (isSuspected ? 20 : 0) +
      (isOnStack ? 5 : 0) -
      2 * Math.max(0, lines - 2) -
      5 * interfaces;
    return {
      fix: index + 1,
      correctness: isSuspected
        ? "It changes a place under suspicion."
        : "It changes a place that nothing points to.",
      side_effects:
        interfaces > 0
          ? `It changes what ${interfaces} exported lines say: callers may notice.`
          : `It changes ${lines} lines and no interface.`,
      score: Math.max(0, Math.min(100, score)),
    };
  }),
});

function measure(diff: string): {
  readonly lines: number;
  readonly paths: string[];
  readonly interfaces: number;
} {
  const parsed = parseDiff(diff);
  if (!parsed.ok) return { lines: 0, paths: [], interfaces: 0 };
  const changed = parsed.files
    .flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines))
    .filter((line) => /^[-+]/.test(line));
  const interfaces = changed.filter((line) => /^-export\b/.test(line)).length;
  return { lines: changed.length, paths: parsed.files.map(({ path }) => path), interfaces };
}
