import type { BullmqWard, JobCase, Redriven } from "#shared/bullmq-ward";
import type { Issue } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import type { JsonValue } from "#shared/schema";
import { editJson } from "#shared/schema/edit";
import { AttachedJobHeldError, ChangedMeanwhileError } from "../errors.ts";
import { maskText, parseTyped, restoreSecrets } from "../masking/mask-secrets.ts";
import type { AttachedQueues } from "./attached-queues.ts";

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

/** A person's new data for a job. */
interface JudgedData {
  /** JSON text as it was typed, with values put back where their masks were left. */
  readonly data: string;
  /** Faults against the contract, and masks that hide nothing known. */
  readonly issues: readonly Issue[];
}

/** Returns a case's data as people get it: with secrets, and what its contract marks as `x-sensitive`, masked. */
export function shownDataOf(ward: BullmqWard, jobCase: JobCase): string | null {
  const { data } = ward.describe(jobCase);
  return data === null ? null : maskText(data);
}

/** Holds a person's new data against the contract. No mask is ever written to a job. */
export function judgeData(ward: BullmqWard, jobCase: JobCase, typed: string): JudgedData {
  const parsed = parseTyped(typed);
  if ("issues" in parsed) return { data: typed, issues: parsed.issues };
  const { value, issues: masks } = restoreSecrets(parsed.value, knownOf(ward, jobCase));
  if (masks.length > 0) return { data: typed, issues: masks };
  const data = editJson(typed, value) ?? JSON.stringify(value);
  return { data, issues: ward.findFaults(data) };
}

/** Returns the data as it is and as it was shown. Data whose numbers would lose digits is not put back from. */
function knownOf(
  ward: BullmqWard,
  jobCase: JobCase,
): readonly { readonly value: JsonValue; readonly masked: unknown }[] {
  const before = jobCase.data === null ? null : parseTyped(jobCase.data);
  const shown = shownDataOf(ward, jobCase);
  const masked = shown === null ? null : parseTyped(shown);
  if (before === null || masked === null || "issues" in before || "issues" in masked) return [];
  return [{ value: before.value, masked: masked.value }];
}
