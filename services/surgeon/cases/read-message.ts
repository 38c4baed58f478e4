import { agentNameOf, senderOf } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import type { KeyEdge, Keyring } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import type { Team } from "#shared/runtime";
import type { StoredCase } from "#shared/store/cases";
import { firstAdmission, latestAdmission, openAdmission } from "#shared/ward";
import type { OpenedDeadMessage, Origin } from "#shared/ward";
import type { Surgery } from "../surgery.ts";
import { findMisfit, findUndeclared, withDeclaredContract } from "./judge-origin.ts";

/**
 * Verifies and returns the dead message of a case, or says why it cannot be trusted.
 *
 * @throws {SutureError} of class `unsupported_version`: the message is genuine, and only a newer release can read it.
 */
export function openMessage(
  { keyring, teams }: Pick<Surgery, "keyring" | "teams">,
  stored: StoredCase,
): OpenedDeadMessage | string {
  const admission = latestAdmission(stored);
  if (admission === null) return "Its message is not kept here.";
  const clean = cleanBy(teams);
  try {
    const message = openAdmission({ admission, keyring, clean });
    const misfit = findMisfit(stored, message, admission);
    if (misfit !== null) return `It cannot be believed: its record is not its message's (${misfit}).`;
    if (message.envelope === null) return message;
    const team = teams.find((one) => one.name === message.record.team);
    const read = { ...message, origin: message.origin ?? originOfFirst(stored, message.envelope, keyring) };
    const doubt = read.doubt ?? findUndeclared(team, read);
    return { ...withDeclaredContract(team, read), doubt };
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass === "unsupported_version") throw error;
    return `It cannot be believed (${error.code}).`;
  }
}

/** Returns the fields of an edge's messages that its sender declares as its own words. */
function cleanBy(teams: readonly Team[]): (edge: KeyEdge) => readonly string[] {
  return ({ from, to }) => teams.flatMap(({ agents }) => agents.get(from)?.options.guard?.clean?.[to] ?? []);
}

/** Origin of the case's first message, for discharges written by releases up to 0.1, which name none. */
function originOfFirst(stored: StoredCase, discharge: Envelope, keyring: Keyring): Origin | null {
  const admission = firstAdmission(stored);
  if (admission === null || admission.case_id !== stored.case_id) return null;
  const first = openAdmission({ admission, keyring });
  const origin = first.envelope === null ? null : first.origin;
  return origin?.edge.from === agentNameOf(senderOf(discharge)) ? origin : null;
}
