import { z } from "zod";
import type { Issue } from "#shared/errors";
import { isProjectPath } from "./checkout/project-path.ts";
import { WRITTEN_TEST_CHARACTERS_MAX } from "./limits.ts";
import { parseDiff } from "./diff/parse-diff.ts";

/** A relative path inside the checkout, with slashes. */
export const projectPath = z
  .string()
  .min(1)
  .max(400)
  .refine(isProjectPath, "must be a relative path that stays inside the project")
  .meta({ "x-locked": true });

/** A test that the team wrote. It is added to copies and to no diff. */
export const writtenTest = z.object({
  path: projectPath,
  text: z.string().min(1).max(WRITTEN_TEST_CHARACTERS_MAX).meta({ "x-locked": true }),
});

export type WrittenTest = z.output<typeof writtenTest>;

/** A unified diff against the checkout. */
export const diffText = z.string().min(1).max(40_000).meta({ "x-locked": true });

/** A sentence or two for people and for the next step. */
export const remark = z.string().min(1).max(1000).meta({ "x-surgeon-writes": true });

/** A place that may hold the bug, with the evidence for it. */
export const suspect = z.object({
  path: projectPath,
  /** From 1. */
  line: z.int().positive(),
  /** The function or constant; "" where there is none. */
  symbol: z.string().max(200).default(""),
  because: remark,
});

export type Suspect = z.output<typeof suspect>;

/** Names every diff of a list that cannot be read, with what is wrong with it. */
export function checkDiffs(diffs: readonly string[], pathOf: (index: number) => string): Issue[] {
  return diffs.flatMap((diff, index) => {
    const parsed = parseDiff(diff);
    if (parsed.ok) return [];
    return [{ path: pathOf(index), code: "not_a_diff", message: parsed.problem }];
  });
}
