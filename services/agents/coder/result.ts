import type { Attempt, Plan, Task, TrialWork } from "./contracts.ts";
import type { WrittenTest } from "./contract-fields.ts";
import { tellSteps } from "./plan-steps.ts";
import type { DoneStep } from "./plan-steps.ts";
import type { Judgement } from "./proof/judge-proof.ts";
import type { FixProof } from "./proof/proof.ts";
import type { FailingTest, TestReport } from "./trial/report.ts";

/** A test that is still red, for people. */
export interface StillRed {
  readonly file: string;
  readonly name: string;
  readonly message: string;
}

/** How a repair ended. What a run of this team gives. */
export interface CodeResult {
  /**
   * `accepted`: every test passes with `diff`, and it stood the proof; `unproven`: every test passes, and something
   * speaks against relying on that; `not_fixed`: tests are still red, and `diff` is the best that was found, if any was
   * better than nothing; `cannot_tell`: nothing showed the bug, no test could be run, or no fix came to mind at all.
   */
  readonly status: "accepted" | "unproven" | "not_fixed" | "cannot_tell";
  /** Why it ended so, with counts; doubts first. */
  readonly reasons: readonly string[];
  readonly checkout: string;
  /** Unified diff against the checkout, which was not touched. */
  readonly diff: string | null;
  readonly cause: string | null;
  readonly rounds: number;
  /** Diffs that were tried. */
  readonly tries: number;
  readonly tests: { readonly passed: number; readonly failed: number } | null;
  /** What the fix went through; null where none was green. */
  readonly proof: FixProof | null;
  /** Tests that the team wrote, for people to take over. They are not part of `diff`. */
  readonly written_tests: readonly WrittenTest[];
  /** The plan's steps with what each brought. */
  readonly steps: readonly DoneStep[];
  readonly still_red: readonly StillRed[];
  /** Why diffs were refused. */
  readonly refused: readonly string[];
}

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

/** A fix with which every test passes. */
export interface ProvenFix {
  readonly diff: string;
  readonly passed: number;
  readonly proof: FixProof;
  readonly judgement: Judgement;
}

export function reportGreen(work: Known, { diff, passed, proof, judgement }: ProvenFix): CodeResult {
  const [reason = ""] = judgement.reasons;
  return {
    ...told(work, { repair: `Round ${work.round}.`, verify: `${judgement.status}: ${reason}` }),
    status: judgement.status,
    reasons: judgement.reasons,
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
  const reproduce = `${before.failed} tests are red, ${written.length > 0 ? "of those that were written for it" : "of the checkout's own"}.`;
  return {
    checkout: task.checkout,
    cause,
    rounds: round,
    tries: attempts.length,
    written_tests: [...written, ...held_out],
    steps: tellSteps(plan, { reproduce, search: cause, ...brought }),
    still_red: [],
    refused: refusalsOf(attempts),
  };
}

function refusalsOf(attempts: readonly Attempt[]): string[] {
  const refused = attempts.filter(({ verdict }) => verdict !== "red").map(({ told: why }) => why);
  return [...new Set(refused)].slice(0, REFUSALS_TOLD_MAX);
}

function toStillRed({ file, name, message }: FailingTest): StillRed {
  return { file, name, message: message.slice(0, 300) };
}
