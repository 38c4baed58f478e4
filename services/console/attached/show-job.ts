import type { BullmqWard, JobCase, Proposal } from "#shared/bullmq-ward";
import type { Issue } from "#shared/errors";
import { stepsOf } from "#shared/json";
import { jsonValueOf, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { toWardCase } from "#shared/ward";
import { AttachedJobHeldError, ChangedMeanwhileError } from "../errors.ts";
import { maskText, parseTyped, readTyped } from "../masking/masks.ts";
import { marksOf } from "../ward/view-case.ts";
import type { CaseView } from "../ward/view-case.ts";
import { attachedId } from "./read-targets.ts";
import type { AttachedQueue } from "./attached-queues.ts";

/** A failed job of an attached queue. */
export interface JobAt {
  readonly queue: AttachedQueue;
  readonly ward: BullmqWard;
  readonly jobCase: JobCase;
}

export type CaseSummary = CaseView["case"];

/** Returns a failed job as a case that waits for a person. What has no likeness in a job is empty. */
export function summaryOf({ queue, ward, jobCase }: JobAt): CaseSummary {
  const { id, data, name, failedAtMs } = jobCase;
  const isFaulty = data === null || ward.findFaults(data).length > 0;
  return toWardCase({
    case_id: attachedId(queue.name, id),
    version: queue.versionOf(jobCase),
    status: "quarantined",
    fingerprint: attachedId(queue.name, ward.groupOf(jobCase)),
    admitted_ms: failedAtMs,
    updated_ms: failedAtMs,
    fields: {
      failure_class: isFaulty ? "validation_error" : "handler_error",
      message_id: id,
      job_id: id,
      agent: queue.name,
      addressed_to: queue.name,
      contract: name,
      producer: name,
      messages: "1",
      diagnosis: ward.describe(jobCase).failedReason,
    },
  });
}

/** Returns everything that a person needs to decide about one job. @param audit - What was done to it. */
export async function viewJob(at: JobAt, audit: CaseView["audit"]): Promise<CaseView> {
  const { queue, ward, jobCase } = at;
  const text = shownDataOf(at);
  const proposal = await proposalFor(at);
  const isRepaired = proposal.kind === "repair";
  const { stacktrace } = ward.describe(jobCase);
  // BullMQ keeps it as a list of texts.
  const stacks = jsonValueOf(stacktrace);
  return {
    case: summaryOf(at),
    message: null,
    original: text === null ? null : { text, is_json: jsonValueOf(text) !== undefined },
    contract: queue.contract === null ? null : { id: queue.name, schema: queue.contract.schema },
    original_query: maskText(Array.isArray(stacks) ? stacks.map(String).join("\n\n") : stacktrace),
    approval: null,
    history: [],
    run: null,
    timeline: [],
    redirects: [],
    repair: isRepaired ? showRepair(at, proposal) : null,
    marks: marksOf(jobCase.data === null ? [] : ward.findFaults(jobCase.data), "failure"),
    audit,
    actions: [
      ...(jobCase.data === null ? [] : (["release"] as const)),
      ...(isRepaired ? (["operate"] as const) : []),
      ...(audit.length === 0 ? [] : (["restore"] as const)),
    ],
  };
}

export async function proposalFor({ ward, jobCase }: JobAt): Promise<Proposal> {
  return ward.propose(jobCase, await ward.recipes());
}

/** Whole data, masked as the job's own is; changes have their places in it. */
function showRepair(
  at: JobAt,
  { data, procedure, changes }: Extract<Proposal, { kind: "repair" }>,
): CaseView["repair"] {
  const value = jsonValueOf(shownDataOf(at, data) ?? "null") ?? null;
  const isRecipe = procedure !== "first_aid";
  return {
    value,
    procedure: isRecipe ? "recipe" : "first_aid",
    outcome: "healed",
    reason: isRecipe ? `Recipe ${procedure}.` : "",
    // Of the part under the contract.
    diff: changes.map(({ op, path }) => {
      const place = `${at.queue.contract?.at ?? ""}${path}`;
      return { op, path: place, value: op === "remove" ? undefined : valueAt(value, stepsOf(place)) };
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

/** The refusal of a decision: nothing was done. */
export function refusalOf(
  reason: ConstructorParameters<typeof AttachedJobHeldError>[0],
): ChangedMeanwhileError | AttachedJobHeldError {
  const state = QUICKER[reason];
  if (state === undefined) return new AttachedJobHeldError(reason);
  return new ChangedMeanwhileError({ what: "job", state, by: null });
}

/** Returns the case that a person has read. @throws {ChangedMeanwhileError} It is not failed, or has other data. */
export async function readJob(
  queue: AttachedQueue,
  ward: BullmqWard,
  read: { readonly id: string; readonly version?: number },
): Promise<JobAt> {
  const jobCase = await ward.find(read.id);
  if (jobCase === null) throw refusalOf("not_failed");
  if (read.version !== undefined && queue.versionOf(jobCase) !== read.version) throw refusalOf("changed");
  return { queue, ward, jobCase };
}

/**
 * Holds a person's new data against the contract. No mask is ever written to a job.
 * @returns JSON text as it was typed, with values put back where their masks were left; and faults against the
 * contract, and masks that hide nothing known.
 */
export async function judgeData(
  at: JobAt,
  typed: string,
): Promise<{ readonly data: string; readonly issues: readonly Issue[] }> {
  // A person begins with the repair where there is one.
  const proposal = await proposalFor(at);
  const shown = [at.jobCase.data, ...(proposal.kind === "repair" ? [proposal.data] : [])];
  const known = shown.flatMap((data) => knownOf(at, data));
  const { text: data, issues } = readTyped(typed, known);
  if (issues.length > 0) return { data, issues };
  const faults = at.ward.findFaults(data);
  return { data, issues: faults.map(({ path, code, message }) => ({ path, code, message })) };
}

/** Returns data as people get it: with secrets, and what its contract marks as `x-sensitive`, masked. */
function shownDataOf({ ward, jobCase }: JobAt, own: string | null = jobCase.data): string | null {
  const { data } = ward.describe({ ...jobCase, data: own });
  return data === null ? null : maskText(data);
}

/** Returns the data as it is and as it was shown. Data whose numbers would lose digits is not put back from. */
function knownOf(at: JobAt, data: string | null): { readonly value: JsonValue; readonly masked: unknown }[] {
  const [own, shown] = [data, shownDataOf(at, data)].map((text) => parseTyped(text ?? ""));
  return own !== undefined && "value" in own && shown !== undefined && "value" in shown
    ? [{ value: own.value, masked: shown.value }]
    : [];
}
