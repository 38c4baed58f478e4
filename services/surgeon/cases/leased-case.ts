import { agentNameOf, senderOf } from "#shared/envelope";
import type { Envelope, KeyEdge, Keyring } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { Team } from "#shared/runtime";
import type { CaseFence, StoredCase } from "#shared/store";
import { firstAdmission, latestAdmission, openAdmission, quarantineCase } from "#shared/ward";
import type { OpenedLetter, OperationRecord, Origin } from "#shared/ward";
import { SURGEON_ID } from "../surgery.ts";
import type { Surgery } from "../surgery.ts";
import type { Stay } from "./case-report.ts";
import { findMisfit, findUndeclared, withDeclaredContract } from "./judge-origin.ts";

/** A case in this surgeon's hands. */
export interface Held {
  readonly stored: StoredCase;
  readonly fence: CaseFence;
  readonly stay: Stay;
  /** Aborted when the lock is lost or the process stops. */
  readonly signal: AbortSignal;
}

/**
 * Returns the verified letter of a case, or why it cannot be believed.
 *
 * @throws {SutureError} of class `unsupported_version`: it is genuine, and a newer surgeon has to read it.
 */
export function openLetter(
  { keyring, teams }: Pick<Surgery, "keyring" | "teams">,
  stored: StoredCase,
): OpenedLetter | string {
  const admission = latestAdmission(stored);
  if (admission === null) return "Its letter is not kept here.";
  const clean = cleanBy(teams);
  try {
    const letter = openAdmission({ admission, keyring, clean });
    const misfit = findMisfit(stored, letter, admission);
    if (misfit !== null) return `It cannot be believed: its record is not its letter's (${misfit}).`;
    if (letter.envelope === null) return letter;
    const team = teams.find((one) => one.name === letter.record.team);
    const read = { ...letter, origin: letter.origin ?? originOfFirst(stored, letter.envelope, keyring) };
    const doubt = read.doubt ?? findUndeclared(team, read);
    return { ...withDeclaredContract(team, read), doubt };
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass === "unsupported_version") throw error;
    return `It cannot be believed (${error.code}).`;
  }
}

/** What an edge's sender declares of the words that are its own. */
function cleanBy(teams: readonly Team[]): (edge: KeyEdge) => readonly string[] {
  return ({ from, to }) => teams.flatMap(({ agents }) => agents.get(from)?.options.guard?.clean?.[to] ?? []);
}

/** Where the case's first letter came from, for a discharge that does not say: releases up to 0.1 wrote such. */
function originOfFirst(stored: StoredCase, discharge: Envelope, keyring: Keyring): Origin | null {
  const admission = firstAdmission(stored);
  if (admission === null || admission.case_id !== stored.case_id) return null;
  const first = openAdmission({ admission, keyring });
  const origin = first.envelope === null ? null : first.origin;
  return origin?.edge.from === agentNameOf(senderOf(discharge)) ? origin : null;
}

/**
 * Whether an error was thrown by the language itself: by a bug, or by a value that exhausts whoever walks it.
 * What Redis, the engine and the endpoint throw is none of these.
 */
export function isOwnFault(error: unknown): error is Error {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    error instanceof ReferenceError
  );
}

export async function giveUp(
  surgery: Surgery,
  held: Held,
  diagnosis: string,
  operation: OperationRecord | null = null,
): Promise<"done"> {
  const isMoved = await quarantineCase(surgery.store, {
    from: held.stored,
    by: SURGEON_ID,
    diagnosis,
    operation,
    fence: held.fence,
  });
  if (isMoved) held.stay.end("quarantined", operation?.attempts);
  return "done";
}

/** Returns the trace context for what is sent in the letter's place. @param to - Default: the letter's receiver. */
export function traceparentOfSend(
  { stay, stored }: Held,
  letter: { readonly envelope: Envelope },
  to: string = letter.envelope.meta.target_agent,
): string {
  const { traceparent: parent } = letter.envelope.meta;
  return stay.traceparentOfSend({ parent, to: agentNameOf(to), case_id: stored.case_id });
}
