import { readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import type { Team } from "#shared/runtime";
import { readSubject } from "#shared/ward";
import type { CaseAdmission, Subject } from "#shared/ward";

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
