import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { testReport } from "./trial/report.ts";
import { isProjectPath } from "./checkout/project-path.ts";
import { parseDiff } from "./diff/diff.ts";

/** Fixes that the patcher may propose at once, and rounds it may have. */
export const FIXES_MAX = 8;
export const ROUNDS_MAX = 8;

/** Tests that the explorer may write for one task, and their length in characters. */
export const WRITTEN_TESTS_MAX = 3;
export const WRITTEN_TEST_CHARACTERS_MAX = 20_000;

/** A relative path inside the checkout, with slashes. */
export const projectPath = z
  .string()
  .min(1)
  .max(400)
  .refine(isProjectPath, "must be a relative path that stays inside the project")
  .meta({ "x-locked": true });

/** A test that the team wrote. It is added to copies and to no diff. */
const writtenTest = z.object({
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

const ROUNDS_DEFAULT = 6;

const task = z.object({
  /** Name of a folder below the folder of checkouts. */
  checkout: projectPath.meta({ "x-locked": true, "x-aliases": ["repository", "project"] }),
  /** The bug report. */
  issue: z
    .string()
    .min(1)
    .max(8000)
    .meta({ "x-aliases": ["description", "bug", "text"] }),
  /** Test files and folders that judge; empty: all that `node --test` takes for tests. */
  tests: z.array(projectPath).max(100).default([]),
  /** Files and folders that may be changed; empty: all but tests, settings and dependencies. */
  editable: z.array(projectPath).max(100).default([]),
  /** Tries of the patcher at most. */
  rounds_max: z.int().min(1).max(ROUNDS_MAX).default(ROUNDS_DEFAULT).meta({ "x-locked": true }),
});

export const CodeTask = contract("coder.task@1", task, {
  description: "A checkout with a bug that is to be fixed by a diff, without touching the checkout.",
});

export const PLAN_ACTIONS = ["reproduce", "search", "repair", "verify"] as const;

export const plan = z.object({
  goal: remark,
  /** Looked for verbatim. */
  search_terms: z.array(z.string().min(2).max(120)).max(12),
  steps: z
    .array(z.object({ id: z.int().positive(), action: z.enum(PLAN_ACTIONS), aim: remark }))
    .min(1)
    .max(12),
});

export const ExplorationOrder = contract("coder.exploration@1", z.object({ task, plan }), {
  description: "A plan for a repair, to be grounded in the checkout.",
});

const attempt = z.object({
  round: z.int().positive(),
  /** First 16 digits of the diff's SHA-256: the same diff is not tried twice. */
  digest: z.string().regex(/^[0-9a-f]{16}$/),
  /** The diff's beginning. */
  shown: z.string().max(2000),
  verdict: z.enum(["red", "refused", "does_not_apply"]),
  /** Reason of its refusal, or the message of its first failing test. */
  told: z.string().max(600),
  /** Tests that failed with it; null where none ran. */
  failed: z.int().nonnegative().nullable(),
});

export type Attempt = z.output<typeof attempt>;

const knowledge = {
  task,
  plan,
  /** Round of the patcher, from 1. */
  round: z.int().positive().max(ROUNDS_MAX),
  cause: remark,
  suspects: z.array(suspect).max(10),
  /** The checkout as it is, with `written`. */
  before: testReport,
  /** Tests that show the bug where the checkout's own tests are green. They judge as those do. */
  written: z.array(writtenTest).max(WRITTEN_TESTS_MAX),
  /** Tests that the fix is held against once the others are green. The patcher is not shown them. */
  held_out: z.array(writtenTest).max(WRITTEN_TESTS_MAX),
  /** Reasons to accept no fix, whatever the tests say then. */
  doubts: z.array(remark).max(5),
  attempts: z.array(attempt).max(FIXES_MAX * ROUNDS_MAX),
  /** The diff that turned most tests green so far, if one did. */
  best: z.object({ diff: diffText, report: testReport }).nullable(),
};

const checkRound = ({ round, task: { rounds_max } }: { round: number; task: { rounds_max: number } }) =>
  round > rounds_max
    ? [{ path: "/round", code: "round_over_bound", message: "there are no more rounds than the task allows" }]
    : [];

export const PatchOrder = contract("coder.patch-order@3", z.object(knowledge), {
  description: "What is known of a bug, and what was tried in vain: a diff is wanted.",
  check: checkRound,
});

export const TrialOrder = contract(
  "coder.trial-order@3",
  z.object({
    ...knowledge,
    /** The likeliest first. */
    fixes: z
      .array(z.object({ title: remark, diff: diffText }))
      .min(1)
      .max(FIXES_MAX),
  }),
  {
    description: "Diffs to be tried in a scratch copy, in this order, until one turns the tests green.",
    check: (order) => [
      ...checkRound(order),
      ...checkDiffs(
        order.fixes.map(({ diff }) => diff),
        (index) => `/fixes/${index}/diff`,
      ),
    ],
  },
);

export type Task = ContractOutput<typeof CodeTask>;
export type Plan = z.output<typeof plan>;
export type PatchWork = ContractOutput<typeof PatchOrder>;
export type TrialWork = ContractOutput<typeof TrialOrder>;
