import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { selectSources, walkFiles } from "../checkout/checkout-files.ts";
import { PatchOrder, TrialOrder, checkDiffs, diffText, remark, FIXES_MAX } from "../contracts.ts";
import type { PatchWork } from "../contracts.ts";
import { digestDiff } from "../diff/diff.ts";
import { pathsOf } from "../trial/report.ts";
import { aimOf, reportRed } from "../result.ts";
import { findRoot } from "../setup.ts";
import type { CoderSetup } from "../setup.ts";
import { RECORDED } from "../recordings.ts";

const FixesAnswer = contract(
  "patcher.fixes@1",
  z.object({
    fixes: z.array(z.object({ title: remark, because: remark, diff: diffText })).max(FIXES_MAX),
  }),
  {
    description: "Fixes, each as a unified diff against the files as they were shown.",
    check: ({ fixes }) =>
      checkDiffs(
        fixes.map(({ diff }) => diff),
        (index) => `/fixes/${index}/diff`,
      ),
  },
);

const EvaluationAnswer = contract(
  "patcher.evaluation@1",
  z.object({
    evaluations: z
      .array(
        z.object({
          /** Number of the fix, from 1. */
          fix: z.int().min(1).max(FIXES_MAX),
          correctness: remark,
          side_effects: remark,
          /** 0: surely wrong; 100: surely right and without side effects. */
          score: z.int().min(0).max(100),
        }),
      )
      .max(FIXES_MAX),
  }),
  {
    description: "How likely each fix is right, and what else it would change.",
  },
);

const to = { verifier: TrialOrder };

const PROMPT = new URL("prompt.md", import.meta.url);
const FIXES_INSTRUCTIONS = readPrompt(PROMPT, "fixes");
const EVALUATE_INSTRUCTIONS = readPrompt(PROMPT, "evaluate");

type Fix = ContractOutput<typeof FixesAnswer>["fixes"][number];

/** Proposes diffs and weighs them; the verifier tries them. */
export function createPatcher(setup: CoderSetup) {
  return agent("patcher@1", {
    accepts: PatchOrder,
    guard: { mayCause: [] },
    to,
    description: "Proposes diffs for a known cause and weighs them.",
    capabilities: ["code-repair"],
    answers: [FixesAnswer, EvaluationAnswer],
    standIns: { fixes: RECORDED.fixes, evaluate: RECORDED.evaluate },
    handle: async (work, ctx) => {
      const input = await gather(work, { setup, signal: ctx.signal });
      const asked = { instructions: FIXES_INSTRUCTIONS, input, answers: FixesAnswer };
      const proposed = await ctx.model("fixes", asked);
      const fixes = dropTried(proposed.fixes, work);
      if (fixes.length === 0) return ctx.complete(reportRed(work, "No other fix came to mind."));
      const ranked = await weigh(ctx, fixes, input);
      return ctx.handoff(
        "verifier",
        { ...work, fixes: ranked.map(({ title, diff }) => ({ title, diff })) },
        { reason: `round ${work.round}: ${ranked.length} fixes`, expectedOutput: "a verdict on each fix" },
      );
    },
  });
}

async function gather(
  work: PatchWork,
  { setup, signal }: { readonly setup: CoderSetup; readonly signal: AbortSignal },
) {
  const root = await findRoot(setup, work.task.checkout);
  const files = await walkFiles({ root, signal });
  const { failing } = work.best?.report ?? work.before;
  const named = [...work.suspects.map(({ path }) => path), ...pathsOf(failing)];
  return {
    issue: work.task.issue,
    cause: work.cause,
    aim: aimOf(work.plan, "repair"),
    suspects: work.suspects,
    failing,
    sources: await selectSources(root, files, named),
    best: work.best?.diff ?? null,
    tried: work.attempts.map(({ digest, shown, verdict, told }) => ({ digest, shown, verdict, told })),
    fixes_max: FIXES_MAX,
  };
}

function dropTried(fixes: readonly Fix[], { attempts }: PatchWork): Fix[] {
  const known = new Set(attempts.map(({ digest }) => digest));
  return fixes.filter(({ diff }) => {
    const digest = digestDiff(diff);
    const isNew = !known.has(digest);
    known.add(digest);
    return isNew;
  });
}

/** The best first. A fix that was not weighed goes last; what is equal stays as it was proposed. */
async function weigh(
  ctx: Context<typeof to>,
  fixes: readonly Fix[],
  { issue, cause, suspects, failing }: Awaited<ReturnType<typeof gather>>,
): Promise<Fix[]> {
  const shown = {
    issue,
    cause,
    suspects,
    failing,
    fixes: fixes.map(({ title, diff }) => ({ title, diff })),
  };
  const asked = { instructions: EVALUATE_INSTRUCTIONS, input: shown, answers: EvaluationAnswer };
  const { evaluations } = await ctx.model("evaluate", asked);
  const scores = new Map(evaluations.map(({ fix, score }) => [fix - 1, score]));
  return fixes
    .map((fix, index) => ({ fix, score: scores.get(index) ?? -1 }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ fix }) => fix);
}
