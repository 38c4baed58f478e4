import { readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import type { Team } from "#shared/runtime";
import { prove } from "#shared/proof";
import { parseTolerant } from "#shared/repair";
import type { Proof } from "#shared/proof";
import type { Tried } from "#shared/recipes";
import type { JsonValue } from "#shared/schema";
import { readSubject } from "#shared/ward";
import type { CaseAdmission, Subject } from "#shared/ward";

/** Null for a letter that never verified, and for one that cannot be read. */
export function subjectOf(record: CaseAdmission, teams: readonly Team[]): Subject | null {
  const envelope = envelopeOf(record);
  if (envelope === null) return null;
  const team = teams.find((one) => one.name === record.team);
  return readSubject({ record, envelope, contracts: team?.contracts });
}

/** What stands against a person's new value for the subject. */
export function proveByPerson(subject: Subject, proposed: JsonValue): Proof {
  return prove({ ...caseOf(subject), repaired: proposed, procedure: "person" });
}

/** What stands against what a recipe makes of the subject. */
export function proveByRecipe(subject: Subject, tried: Tried): Proof {
  return prove({ ...caseOf(subject), repaired: tried.value, procedure: "recipe", words: tried.words });
}

function caseOf(subject: Subject): Omit<Parameters<typeof prove>[0], "repaired" | "procedure"> {
  const { text, value, schema, sources, check } = subject;
  return { original: { text, value }, schema, sources, check };
}

/** The subject's value, or its cheapest reading: what diffs of repairs begin from. */
export function startingValueOf(subject: Subject): JsonValue {
  return subject.value ?? parseTolerant(subject.text)[0]?.value ?? null;
}

/** Returns the envelope of a letter; null where it never verified or cannot be read. */
export function envelopeOf({ bytes }: CaseAdmission): Envelope | null {
  try {
    return bytes === null ? null : readEnvelope(bytes);
  } catch {
    return null;
  }
}
