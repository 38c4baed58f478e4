import { z } from "zod";
import { contract } from "#shared/contract";
import { PLAN_ACTIONS } from "./contracts.ts";
import type { Plan, Task, TrialWork } from "./contracts.ts";
import { fixProof } from "./proof/prove-fix.ts";
import type { ProvenFix } from "./proof/prove-fix.ts";
import type { FailingTest, TestReport } from "./trial/report.ts";

type Action = (typeof PLAN_ACTIONS)[number];

/** A step of the plan with what it brought, for people. */
const doneStep = z.object({
  id: z.int().positive(),
  action: z.enum(PLAN_ACTIONS),
  aim: z.string(),
  /** Result of the step; "" if the run ended before it. */
  brought: z.string(),
});

type DoneStep = z.output<typeof doneStep>;

/** Returns what the plan's steps of that kind are to bring. "" where it has none. */
export function aimOf({ steps }: Plan, action: Action): string {
  return steps
    .filter((step) => step.action === action)
    .map(({ aim }) => aim)
    .join(" ");
}

function tellSteps({ steps }: Plan, brought: Partial<Record<Action, string>>): DoneStep[] {
  return steps.map(({ id, action, aim }) => ({ id, action, aim, brought: brought[action] ?? "" }));
}

/** Has no pattern and no bound: secrets in it are replaced by `[secret]` before the check. */
const text = z.string();
const count = z.int().nonnegative();

const stillRed = z.object({ file: text, name: text, message: text });

export const CoderResult = contract(
  "coder.result@3",
  z.object({
    /**
     * `accepted`: every test passes with `diff`, and it stood the proof; `unproven`: every test passes, and something
     * speaks against relying on that; `not_fixed`: tests are still red, and `diff` is the best that was found, if any
     * was better than nothing; `cannot_tell`: nothing showed the bug, no test could be run, or no fix came to mind.
     */
    status: z.enum(["accepted", "unproven", "not_fixed", "cannot_tell"]),
    /** Reasons for this end, with counts; doubts first. */
    reasons: z.array(text).readonly(),
    checkout: text,
    /** Unified diff against the checkout, which was not touched. */
    diff: text.nullable(),
    cause: text.nullable(),
    rounds: count,
    /** Diffs that were tried. */
    tries: count,
    tests: z.object({ passed: count, failed: count }).nullable(),
    /** Checks that the fix has passed; null where none was green. */
    proof: fixProof.nullable(),
    /** Tests that the team wrote, for people to take over. They are not part of `diff`. */
    written_tests: z.array(z.object({ path: text, text })).readonly(),
    /** The plan's steps with what each brought. */
    steps: z.array(doneStep).readonly(),
    still_red: z.array(stillRed).readonly(),
    /** Reasons for which diffs were refused. */
    refused: z.array(text).readonly(),
  }),
  { description: "How a repair ended, with its diff and what speaks for and against it." },
);

export type CodeResult = z.output<typeof CoderResult.schema>;

type StillRed = z.output<typeof stillRed>;

const REFUSALS_TOLD_MAX = 10;

/** Nothing shows the bug, or no test can be run: there is nothing to judge a repair by. */
export function reportUnclear(
  { task, plan }: { readonly task: Task; readonly plan: Plan },
  { reason, report }: { readonly reason: string; readonly report: TestReport | null },
): CodeResult {
  return {
    status: "cannot_tell",
    reasons: [reason],
    checkout: task.checkout,
    diff: null,
    cause: null,
    rounds: 0,
    tries: 0,
    tests: report === null ? null : { passed: report.passed, failed: report.failed },
    proof: null,
    written_tests: [],
    steps: tellSteps(plan, { reproduce: reason }),
    still_red: report?.failing.map(toStillRed) ?? [],
    refused: [],
  };
}

type Known = Omit<TrialWork, "fixes">;

export function reportGreen(work: Known, { diff, passed, proof, status, reasons }: ProvenFix): CodeResult {
  const [reason = ""] = reasons;
  return {
    ...told(work, { repair: `Round ${work.round}.`, verify: `${status}: ${reason}` }),
    status,
    reasons,
    diff,
    tries: work.attempts.length + 1,
    tests: { passed, failed: 0 },
    proof,
  };
}

/** The bound is reached, or nothing new comes to mind: what is still red, and the best there is. */
export function reportRed(work: Known, reason: string): CodeResult {
  const report = work.best?.report ?? work.before;
  return {
    ...told(work, { repair: reason, verify: `${report.failed} tests are red.` }),
    status: work.attempts.length === 0 ? "cannot_tell" : "not_fixed",
    reasons: [reason, ...work.doubts],
    diff: work.best?.diff ?? null,
    tests: { passed: report.passed, failed: report.failed },
    proof: null,
    still_red: report.failing.map(toStillRed),
  };
}

function told(
  { task, plan, cause, attempts, round, before, written, held_out }: Known,
  brought: { readonly repair: string; readonly verify: string },
): Omit<CodeResult, "status" | "reasons" | "diff" | "tests" | "proof"> {
  const refused = attempts.filter(({ verdict }) => verdict !== "red").map(({ told: why }) => why);
  const reproduce = `${before.failed} tests are red, ${written.length > 0 ? "of those that were written for it" : "of the checkout's own"}.`;
  return {
    checkout: task.checkout,
    cause,
    rounds: round,
    tries: attempts.length,
    written_tests: [...written, ...held_out],
    steps: tellSteps(plan, { reproduce, search: cause, ...brought }),
    still_red: [],
    refused: [...new Set(refused)].slice(0, REFUSALS_TOLD_MAX),
  };
}

function toStillRed({ file, name, message }: FailingTest): StillRed {
  return { file, name, message: message.slice(0, 300) };
}
