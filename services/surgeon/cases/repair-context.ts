import type { Issue } from "#shared/errors";
import { parseTolerant } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { StoredCase } from "#shared/store";
import { readSubject } from "#shared/ward";
import type { ReadLetter, Subject } from "#shared/ward";
import type { Surgery } from "../surgery.ts";

/** One case on the table: what is wrong, what it should satisfy, and where values may come from. */
export interface Patient extends Subject {
  readonly stored: StoredCase;
  readonly letter: ReadLetter;
  /** Number of this stay in surgery, from 1. */
  readonly operation: number;
}

export function examine(surgery: Surgery, stored: StoredCase, letter: Patient["letter"]): Patient {
  const team = surgery.teams.find((one) => one.name === letter.record.team);
  return {
    ...readSubject({ ...letter, contracts: team?.contracts }),
    stored,
    letter,
    operation: Number(stored.fields["operations"] ?? 0) + 1,
  };
}

/** The subject's value, or the cheapest way to read its text: what proofs and their diffs begin from. */
export function cheapestReading({ value, text }: Patient): JsonValue | undefined {
  return value ?? parseTolerant(text)[0]?.value;
}

/** Whether the subject already is what its contract asks for. */
export function faultsOf(patient: Patient): readonly Issue[] {
  if (patient.value === undefined)
    return [{ path: "", code: "not_json", message: "this is no JSON, or contradicts itself" }];
  return patient.check?.(patient.value) ?? [];
}
