import type { BullmqWard, JobCase, Proposal, Redriven } from "#shared/bullmq-ward";
import type { Issue } from "#shared/errors";
import { stepsOf } from "#shared/json";
import { jsonValueOf, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { editJson } from "#shared/schema/edit";
import { AttachedJobHeldError, ChangedMeanwhileError } from "../errors.ts";
import { maskText, parseTyped, restoreSecrets } from "../masking/mask-secrets.ts";
import type { CaseView } from "../ward/view-case.ts";
import { attachedId } from "./attached-link.ts";
import type { AttachedQueueParts } from "./attached-queues.ts";

export type CaseSummary = CaseView["case"];
type AuditLines = CaseView["audit"];

/** Returns a failed job as a case that waits for a person. What has no likeness in a job is empty. */
export function summaryOf(queue: AttachedQueueParts, ward: BullmqWard, jobCase: JobCase): CaseSummary {
  const { name } = queue;
  const { failedReason } = ward.describe(jobCase);
  const isFaulty = jobCase.data === null || ward.findFaults(jobCase.data).length > 0;
  return {
    case_id: attachedId(name, jobCase.id),
    version: queue.versionOf(jobCase),
    status: "quarantined",
    fingerprint: attachedId(name, ward.groupOf(jobCase)),
    failure_class: isFaulty ? "validation_error" : "handler_error",
    admitted_ms: jobCase.failedAtMs,
    updated_ms: jobCase.failedAtMs,
    message_id: jobCase.id,
    run_id: "",
    team: "",
    agent: name,
    addressed_to: name,
    contract: jobCase.name,
    disposition: "quarantine",
    subject: "payload",
    producer: jobCase.name,
    messages: 1,
    operations: 0,
    reroutes: 0,
    taboo: [],
    decision: null,
    proposal: null,
    diagnosis: failedReason,
    waits: null,
    discharged_as: null,
    job_id: jobCase.id,
    restarts: 0,
    cost: 0,
    closed_ms: null,
    unreadable: [],
  };
}

/** Returns everything that a person needs to decide about one job. @param audit - What was done to it. */
export function viewJob(
  queue: AttachedQueueParts,
  ward: BullmqWard,
  { jobCase, proposal, audit }: { jobCase: JobCase; proposal: Proposal; audit: AuditLines },
): CaseView {
  const text = shownDataOf(ward, jobCase);
  const faults = jobCase.data === null ? [] : ward.findFaults(jobCase.data);
  const isRepaired = proposal.kind === "repair";
  return {
    case: summaryOf(queue, ward, jobCase),
    message: null,
    original: text === null ? null : { text, is_json: jsonValueOf(text) !== undefined },
    contract: queue.contract === null ? null : { id: queue.name, schema: queue.contract.schema },
    original_query: maskText(stackOf(ward, jobCase)),
    approval: null,
    history: [],
    run: null,
    timeline: [],
    redirects: [],
    repair: isRepaired ? showRepair(queue, ward, { jobCase, proposal }) : null,
    marks: faults.map(({ path, code, message }) => ({
      path,
      code,
      message,
      from: "failure",
    })),
    audit,
    actions: [
      ...(jobCase.data === null ? [] : (["release"] as const)),
      ...(isRepaired ? (["operate"] as const) : []),
      ...(audit.length === 0 ? [] : (["restore"] as const)),
    ],
  };
}

/** The stack, without what the contract marks: BullMQ keeps it as a list of texts. */
function stackOf(ward: BullmqWard, jobCase: JobCase): string {
  const { stacktrace } = ward.describe(jobCase);
  const stacks = jsonValueOf(stacktrace);
  return Array.isArray(stacks) ? stacks.map(String).join("\n\n") : stacktrace;
}

/** Whole data, masked as the job's own is; changes have their places in it. */
function showRepair(
  queue: AttachedQueueParts,
  ward: BullmqWard,
  of: { readonly jobCase: JobCase; readonly proposal: Extract<Proposal, { kind: "repair" }> },
): CaseView["repair"] {
  const { data, procedure, changes } = of.proposal;
  const value = jsonValueOf(shownDataOf(ward, { ...of.jobCase, data }) ?? "null") ?? null;
  const isRecipe = procedure !== "first_aid";
  return {
    value,
    procedure: isRecipe ? "recipe" : "first_aid",
    outcome: "healed",
    reason: isRecipe ? `Recipe ${procedure}.` : "",
    // Of the part under the contract.
    diff: changes.map(({ op, path }) => {
      const place = `${queue.contract?.at ?? ""}${path}`;
      const changedTo = op === "remove" ? undefined : valueAt(value, stepsOf(place));
      return { op, path: place, ...(changedTo === undefined ? {} : { value: changedTo }) };
    }),
    provenance: [],
    objections: [],
    evidence: null,
  };
}

/** Reasons that mean that somebody else was quicker, with what the job is now. */
const QUICKER: Readonly<Record<string, string>> = {
  changed: "failed, with other data",
  not_failed: "no longer failed",
  gone: "gone",
};

/** Returns the answer to a decision. @throws {ChangedMeanwhileError | AttachedJobHeldError} Nothing was done. */
export function outcomeOf(summary: CaseSummary, sent: Redriven): CaseSummary {
  if (sent.kind === "held") throw refusalOf(sent.reason);
  const diagnosis = sent.parent === "failed" ? "Its flow's parent is failed: retry it after this job." : null;
  return { ...summary, status: "released", diagnosis };
}

export function refusalOf(
  reason: ConstructorParameters<typeof AttachedJobHeldError>[0],
): ChangedMeanwhileError | AttachedJobHeldError {
  const state = QUICKER[reason];
  return state === undefined ? new AttachedJobHeldError(reason) : changed(state);
}

/** Returns the case that a person has read. @throws {ChangedMeanwhileError} It is not failed, or has other data. */
export async function readJob(
  queue: AttachedQueueParts,
  ward: BullmqWard,
  read: { readonly id: string; readonly version?: number | undefined },
): Promise<JobCase> {
  const jobCase = await ward.find(read.id);
  if (jobCase === null) throw changed("no longer failed");
  if (read.version !== undefined && queue.versionOf(jobCase) !== read.version)
    throw changed("failed, with other data");
  return jobCase;
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

/** Holds a person's new data against the contract. No mask is ever written to a job. */
export async function judgeData(ward: BullmqWard, jobCase: JobCase, typed: string): Promise<JudgedData> {
  const parsed = parseTyped(typed);
  if ("issues" in parsed) return { data: typed, issues: parsed.issues };
  // A person begins with the repair where there is one.
  const proposal = await ward.propose(jobCase, await ward.recipes());
  const shown = [jobCase.data, ...(proposal.kind === "repair" ? [proposal.data] : [])];
  const known = shown.flatMap((data) => knownOf(ward, { ...jobCase, data }));
  const { value, issues: masks } = restoreSecrets(parsed.value, known);
  if (masks.length > 0) return { data: typed, issues: masks };
  const data = editJson(typed, value) ?? JSON.stringify(value);
  return { data, issues: ward.findFaults(data).map(({ path, code, message }) => ({ path, code, message })) };
}

/** Returns data as people get it: with secrets, and what its contract marks as `x-sensitive`, masked. */
function shownDataOf(ward: BullmqWard, jobCase: JobCase): string | null {
  const { data } = ward.describe(jobCase);
  return data === null ? null : maskText(data);
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
