import { parseOutside } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { JsonValue } from "#shared/surgery";
import { getCase } from "#shared/ward";
import { LetterUnreadableError } from "../errors.ts";
import { readLetter } from "./read-letter.ts";
import { proveByPerson, subjectOf } from "./subject.ts";

/** What would become of a person's new value. */
export interface ProposalCheck {
  /** True where it could be released, if need be with a second person. */
  readonly acceptable: boolean;
  readonly issues: readonly Issue[];
  /** JSON pointers of changes that a second person has to approve. */
  readonly second_person: readonly string[];
  /** RFC 6902, from the letter to the proposal. */
  readonly diff: readonly unknown[];
}

/**
 * Holds a person's new value against everything that the surgeon will hold it against.
 *
 * @param proposal.payloadText - JSON text, so that digits stay as typed.
 * @throws {NotFoundError | LetterUnreadableError}
 */
export async function checkProposal(
  console: { readonly store: Store; readonly teams: readonly Team[] },
  proposal: { readonly caseId: string; readonly payloadText: string },
): Promise<ProposalCheck> {
  const { admissions } = await getCase(console.store, proposal.caseId);
  const latest = admissions.at(-1);
  const record = latest === undefined ? null : readLetter(latest);
  const subject = record === null ? null : subjectOf(record, console.teams);
  if (subject === null) throw new LetterUnreadableError(proposal.caseId);
  const parsed = parse(proposal.payloadText);
  if ("issues" in parsed) return { acceptable: false, issues: parsed.issues, second_person: [], diff: [] };
  const proof = proveByPerson(subject, parsed.value);
  const issues = proof.objections.filter(({ code }) => code !== "second_person");
  return {
    acceptable: issues.length === 0,
    issues: issues.map(({ path, code, message }) => ({ path, code, message })),
    second_person: proof.objections.filter(({ code }) => code === "second_person").map(({ path }) => path),
    diff: proof.diff,
  };
}

function parse(text: string): { readonly value: JsonValue } | { readonly issues: readonly Issue[] } {
  try {
    // What came from JSON text is a JSON value.
    return { value: parseOutside(text) as JsonValue };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const own = { path: "", code: error.code.toLowerCase(), message: error.message };
    return { issues: error.issues.length > 0 ? error.issues : [own] };
  }
}
