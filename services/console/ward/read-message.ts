import { Approval } from "#shared/context";
import type { ToolCall } from "#shared/context";
import { readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import type { Team } from "#shared/runtime";
import type { Admission } from "#shared/store/settlement";
import { readAdmission, readSubject } from "#shared/ward";
import type { CaseAdmission, CaseDetail, Subject } from "#shared/ward";

/** Returns what an admission says, for display; its signature is verified elsewhere. Null where unreadable. */
export function readMessage(admission: Admission): CaseAdmission | null {
  try {
    return readAdmission(admission);
  } catch {
    return null;
  }
}

/** Returns what the latest admission of a case says; null where there is none that can be read. */
export function readLatest({ admissions }: Pick<CaseDetail, "admissions">): CaseAdmission | null {
  const latest = admissions.at(-1);
  return latest === undefined ? null : readMessage(latest);
}

/** Returns the subject of a case; null if its message never verified or cannot be read. */
export function subjectOf(record: CaseAdmission, teams: readonly Team[]): Subject | null {
  const envelope = envelopeOf(record);
  if (envelope === null) return null;
  const team = teams.find((one) => one.name === record.team);
  return readSubject({ record, envelope, contracts: team?.contracts });
}

/** Returns the envelope of a message; null where it never verified or cannot be read. */
export function envelopeOf({ bytes }: CaseAdmission): Envelope | null {
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
  try {
    const asked = Asked.safeParse(JSON.parse(record.subject.text));
    return asked.success ? asked.data.call : null;
  } catch {
    return null;
  }
}
