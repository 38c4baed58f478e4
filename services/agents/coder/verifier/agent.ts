import { agent } from "#shared/runtime";
import { PatchOrder, TrialOrder } from "../contracts.ts";
import type { Attempt, TrialWork } from "../contracts.ts";
import { digestDiff } from "../diff/diff.ts";
import { reportGreen, reportRed } from "../result.ts";
import { isBetter } from "../trial/report.ts";
import { sweepScratch, tryDiff } from "../trial/try-diff.ts";
import type { TrialResult } from "../trial/try-diff.ts";
import { findRoot, trialOf } from "../setup.ts";
import type { CoderSetup } from "../setup.ts";
import { proveBest } from "../proof/prove-fix.ts";
import type { GreenTrial } from "../proof/prove-fix.ts";

const to = { patcher: PatchOrder };

const HANDLER_TIMEOUT_MS = 1_800_000;
const SHOWN_LENGTH_MAX = 2000;

/** Tries diffs in scratch copies by the project's tests, proves the best. No model; each trial is a recorded step. */
export function createVerifier(setup: CoderSetup) {
  return agent("verifier@1", {
    accepts: TrialOrder,
    guard: { mayCause: [] },
    to,
    description: "Applies diffs in a scratch copy and runs the tests; no model takes part.",
    capabilities: ["verification"],
    concurrency: 2,
    handlerTimeoutMs: HANDLER_TIMEOUT_MS,
    handle: async (order, ctx) => {
      const { fixes, ...work } = order;
      const scratchDir = setup.scratchDir();
      const swept = await sweepScratch(scratchDir);
      if (swept > 0) ctx.log.info({ swept }, "scratch copies of dead processes were removed");
      const root = await findRoot(setup, work.task.checkout);
      const { before, written } = work;
      const trial = { ...trialOf(setup, work.task, root), before, written };
      let known: Known = work;
      const green: GreenTrial[] = [];
      for (const [index, { diff }] of fixes.entries()) {
        const result = await ctx.step(`trial-${index + 1}`, (signal) => tryDiff({ ...trial, diff, signal }));
        if (result.verdict === "green") green.push({ diff, passed: result.report?.passed ?? 0 });
        else known = learn(known, diff, result);
      }
      const [first, ...others] = green;
      if (first !== undefined) {
        const proven = await ctx.step("proof", (signal) =>
          proveBest([first, ...others], known, { ...trial, signal }),
        );
        return ctx.complete(reportGreen(known, proven));
      }
      const isLast = work.round >= work.task.rounds_max;
      if (isLast) return ctx.complete(reportRed(known, "The rounds are spent."));
      return ctx.handoff(
        "patcher",
        { ...known, round: work.round + 1 },
        { reason: `round ${work.round} left tests red`, expectedOutput: "other diffs" },
      );
    },
  });
}

type Known = Omit<TrialWork, "fixes">;

function learn(known: Known, diff: string, result: TrialResult): Known {
  const { report } = result;
  const attempt: Attempt = {
    round: known.round,
    digest: digestDiff(diff),
    shown: diff.slice(0, SHOWN_LENGTH_MAX),
    verdict: result.verdict === "refused" || result.verdict === "does_not_apply" ? result.verdict : "red",
    told: describeAttempt(result),
    failed: report?.failed ?? null,
  };
  const isBest = report !== null && isBetter(report, known.best?.report ?? known.before);
  return {
    ...known,
    attempts: [...known.attempts, attempt],
    best: isBest ? { diff, report } : known.best,
  };
}

function describeAttempt({ told, report }: TrialResult): string {
  const [first] = report?.failing ?? [];
  if (told !== "" || first === undefined) return told;
  return `${first.name}: ${first.message}`.slice(0, 600);
}
