import type { AnswerOf, ConsoleApi } from "#shared/api";
import type { GroupReport } from "#shared/bullmq-ward";
import { SutureError } from "#shared/errors";
import type { AttachedQueueParts, GroupWorkState, Surveyed } from "./attached-queues.ts";

export type AttachedQueueView = AnswerOf<ConsoleApi["listAttached"]>["queues"][number];

/** Groups that are shown of one queue, at most; the largest come first. */
const GROUPS_MAX = 100;

/**
 * Returns what the page shows of a queue. One that is away says so, with its last groups.
 *
 * @param hasExamples - Whether the reader may see ids of jobs.
 */
export async function viewQueue(queue: AttachedQueueParts, hasExamples: boolean): Promise<AttachedQueueView> {
  const { name, hasContract, survey, work } = queue;
  const [counted, surveyed] = await Promise.all([countJobs(queue), survey.look()]);
  return {
    name,
    seal: "unsealed",
    has_contract: hasContract,
    ...counted,
    survey: surveyed === null ? null : viewSurvey(surveyed, hasExamples),
    apply: work.state === null ? null : viewWork(work.state, hasExamples),
  };
}

async function countJobs({
  link,
}: AttachedQueueParts): Promise<Pick<AttachedQueueView, "problem" | "counts">> {
  try {
    return { problem: null, counts: await link.use((ward) => ward.counts()) };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return { problem: `${error.message} ${error.remedy}`, counts: null };
  }
}

function viewSurvey(
  { atMs, looked, isComplete, groups }: Surveyed,
  hasExamples: boolean,
): NonNullable<AttachedQueueView["survey"]> {
  return {
    at_ms: atMs,
    looked,
    is_complete: isComplete,
    groups_total: groups.length,
    groups: groups.slice(0, GROUPS_MAX).map(({ id, jobName, faults, error, count, examples }) => ({
      id,
      job_name: jobName,
      faults,
      error,
      count,
      examples: hasExamples ? examples : [],
    })),
  };
}

/** @param hasExamples - Whether the reader may see ids of jobs, and at which places they are repaired. */
export function viewWork(
  work: GroupWorkState,
  hasExamples: boolean,
): NonNullable<AttachedQueueView["apply"]> {
  const { group, by, isDryRun, beganMs, state, report, problem } = work;
  return {
    group,
    by,
    is_dry_run: isDryRun,
    began_ms: beganMs,
    state,
    report: report === null ? null : viewReport(report, hasExamples),
    problem,
  };
}

function viewReport(
  { batch, matched, sent, held, unrepaired, stopped, examples }: GroupReport,
  hasExamples: boolean,
): NonNullable<NonNullable<AttachedQueueView["apply"]>["report"]> {
  const shown = hasExamples ? examples : [];
  return {
    batch,
    matched,
    sent,
    held,
    unrepaired,
    stopped,
    // Without values: some may be sensitive.
    examples: shown.map(({ id, changes }) => ({
      job: id,
      changes: changes.map(({ op, path }) => `${op} ${path}`),
    })),
  };
}
