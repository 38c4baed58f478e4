import { applyPatch } from "rfc6902";
import { Approval } from "#shared/context";
import type { ToolCall } from "#shared/context";
import { readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { readJson } from "#shared/json";
import type { Team } from "#shared/runtime";
import type { JsonValue } from "#shared/schema";
import type { Admission } from "#shared/store/settlement";
import { cheapestReading, readAdmission, readSubject } from "#shared/ward";
import type { CaseAdmission, CaseDetail, Subject } from "#shared/ward";
import type { Attempt } from "#shared/ward/moves";

/** Returns what an admission says, for display; its signature is verified elsewhere. Null where unreadable. */
export function readMessage(admission: Admission | null = null): CaseAdmission | null {
  try {
    return admission && readAdmission(admission);
  } catch {
    return null;
  }
}

/** Returns the subject of a case; null if its message never verified or cannot be read. */
export function subjectOf(record: CaseAdmission | null, teams: readonly Team[]): Subject | null {
  const envelope = envelopeOf(record);
  if (record === null || envelope === null) return null;
  const team = teams.find((one) => one.name === record.team);
  return readSubject({ record, envelope, contracts: team?.contracts });
}

/** Returns the envelope of a message; null where it never verified or cannot be read. */
export function envelopeOf(record: CaseAdmission | null): Envelope | null {
  const bytes = record?.bytes ?? null;
  try {
    return bytes === null ? null : readEnvelope(bytes);
  } catch {
    return null;
  }
}

const Asked = Approval.schema.omit({ approved: true });

/** The tool call that a message waits with for a person's word; null where it waits for none, or it cannot be read. */
export function findApproval(record: CaseAdmission | null): ToolCall | null {
  if (record?.contract !== Approval.id || record.subject.kind !== "answer") return null;
  return Asked.safeParse(readJson(record.subject.text)).data?.call ?? null;
}

/** A repair by a procedure or a person, and its judgement. Evidence: null but for first aid. */
export type Repair = Omit<Attempt, "model" | "tokens" | "cost" | "duration_ms" | "evidence"> & {
  readonly value: JsonValue;
  readonly evidence: NonNullable<Attempt["evidence"]> | null;
};

const FORBIDDEN_STEP = /\/(?:__proto__|constructor|prototype)(?:\/|$)/;

/**
 * Returns the latest proposal for the message: the one that healed it, else the last objected to; an empty diff where
 * it was only read. Null where no procedure had an answer, or its record was not kept whole.
 */
export function rebuildRepair(
  subject: Subject,
  { message_id, history }: Pick<CaseDetail, "message_id" | "history">,
): Repair | null {
  const attempts = history
    .filter((operation) => operation.message_id === message_id)
    .flatMap((operation) => operation.attempts.map((attempt) => ({ ...attempt, trimmed: operation.trimmed })))
    .filter(({ diff, outcome, trimmed }) => diff.length > 0 || (outcome === "healed" && !trimmed));
  const attempt = attempts.findLast(({ outcome }) => outcome === "healed") ?? attempts.at(-1);
  if (attempt === undefined) return null;
  const value = patch(cheapestReading(subject) ?? null, attempt.diff);
  if (value === undefined) return null;
  const { diff, procedure, outcome, reason, said, provenance, objections, evidence = null } = attempt;
  const more = said === undefined ? {} : { said };
  return { value, diff, procedure, outcome, reason, ...more, provenance, objections, evidence };
}

/** Undefined where the patch does not fit. */
function patch(from: JsonValue, diff: Attempt["diff"]): JsonValue | undefined {
  if (diff.some((operation) => FORBIDDEN_STEP.test(operation.path))) return undefined;
  // In a holder, because a patch may replace the whole value.
  const holder = { value: structuredClone(from) };
  const faults = applyPatch(
    holder,
    diff.map((operation) => ({
      ...operation,
      path: `/value${operation.path}`,
      ...("from" in operation ? { from: `/value${operation.from}` } : {}),
    })),
  );
  return faults.every((fault) => fault === null) ? holder.value : undefined;
}
