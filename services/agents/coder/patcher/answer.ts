import { z } from "zod";
import { contract } from "#shared/contract";
import type { SourceText } from "../checkout/select-sources.ts";
import { checkDiffs, diffText, remark } from "../contract-fields.ts";
import type { Suspect } from "../contract-fields.ts";
import type { Attempt } from "../contracts.ts";
import { FIXES_MAX } from "../limits.ts";
import type { FailingTest } from "../trial/report.ts";

/** Diffs that may remove the cause; none where nothing new comes to mind. */
export const FixesAnswer = contract(
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

/** Each fix weighed for what it sets right and what else it changes. */
export const EvaluationAnswer = contract(
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

/** What the patcher is shown. */
export interface FixesInput {
  readonly issue: string;
  readonly cause: string;
  /** What the plan's step "repair" is to bring. */
  readonly aim: string;
  readonly suspects: readonly Suspect[];
  /** What fails now: as the checkout is, or with `best` applied. */
  readonly failing: readonly FailingTest[];
  /** Whole files, as the checkout has them. */
  readonly sources: readonly SourceText[];
  /** A diff that already helps; the next ones contain it or replace it. Null: none does. */
  readonly best: string | null;
  readonly tried: readonly Pick<Attempt, "digest" | "shown" | "verdict" | "told">[];
  readonly fixes_max: number;
}

export interface EvaluationInput {
  readonly issue: string;
  readonly cause: string;
  readonly suspects: readonly Suspect[];
  readonly failing: readonly FailingTest[];
  readonly fixes: readonly { readonly title: string; readonly diff: string }[];
}
