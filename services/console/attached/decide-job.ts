import type { BullmqWard, JobCase, Redriven } from "#shared/bullmq-ward";
import { RequestInvalidError } from "#shared/http";
import { AttachedJobHeldError, ChangedMeanwhileError } from "../errors.ts";
import type { AttachedQueues } from "./attached-queues.ts";
import { judgeData } from "./job-data.ts";

/** Reasons that mean that somebody else was quicker, with what the job is now. */
const QUICKER: Readonly<Record<string, string>> = {
  changed: "failed, with other data",
  not_failed: "no longer failed",
  gone: "gone",
};

/**
 * Returns the case that a person has read.
 *
 * @throws {ChangedMeanwhileError} It is no longer failed, or its data is another one.
 */
export async function readCase(
  attached: AttachedQueues,
  ward: BullmqWard,
  read: { readonly job: string; readonly version: string | null },
): Promise<JobCase> {
  const jobCase = await ward.find(read.job);
  if (jobCase === null) throw changed("no longer failed");
  if (read.version !== null && attached.versionOf(jobCase) !== read.version)
    throw changed("failed, with other data");
  return jobCase;
}

/** Returns a person's new data for a job. @throws {RequestInvalidError} Its contract refuses it, or a mask is in it. */
export function acceptedData(ward: BullmqWard, jobCase: JobCase, typed: string): string {
  const { data, issues } = judgeData(ward, jobCase, typed);
  if (issues.length === 0) return data;
  throw new RequestInvalidError(issues.map((issue) => ({ ...issue, path: `/payload_text${issue.path}` })));
}

/** Returns the answer to a write. @throws {ChangedMeanwhileError | AttachedJobHeldError} Nothing was written. */
export function outcomeOf(
  job: string,
  sent: Redriven,
): { job: string; parent: "none" | "waiting" | "failed" } {
  if (sent.kind === "written") return { job, parent: sent.parent };
  throw refusalOf(sent.reason);
}

export function refusalOf(
  reason: ConstructorParameters<typeof AttachedJobHeldError>[0],
): ChangedMeanwhileError | AttachedJobHeldError {
  const state = QUICKER[reason];
  return state === undefined ? new AttachedJobHeldError(reason) : changed(state);
}

function changed(state: string): ChangedMeanwhileError {
  return new ChangedMeanwhileError({ what: "job", state, by: null });
}
