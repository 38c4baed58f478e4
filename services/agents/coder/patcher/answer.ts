import { z } from "zod";
import { contract } from "#shared/contract";
import { checkDiffs, diffText, remark } from "../contract-fields.ts";
import { FIXES_MAX } from "../limits.ts";

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
