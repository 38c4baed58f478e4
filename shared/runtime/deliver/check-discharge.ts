import { agentNameOf, isSurgeon, senderOf } from "#shared/envelope";
import { UntrustedMessageError, verifyOriginalSeal } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { Team } from "../define/define-team.ts";
import { DischargeUnfoundedError } from "../settle/handoff-errors.ts";

/** The receiver of a discharge, with what it knows. */
export interface DischargeReceiver {
  readonly team: Team;
  /** Plain name. */
  readonly agent: string;
  readonly keyring: Keyring;
}

/**
 * Checks a message of the surgeon: it must be a discharge that names its case and the message it replaces, with the
 * seal of the message that died first. That seal is verified where its key is: for a message to this agent. For a
 * rerouted or redirected one the surgeon is trusted about it. The team must declare the edge.
 *
 * @throws {DischargeUnfoundedError}
 */
export function checkDischarge(envelope: Envelope, receiver: DischargeReceiver): void {
  const { parent_id, parent_digest, case_id, path, original_seal: original } = envelope.meta;
  const refuse = (problem: string): never => {
    throw new DischargeUnfoundedError(receiver.agent, problem);
  };
  if (parent_id === null || parent_digest === null) refuse("it replaces no message");
  if (case_id === undefined) refuse("it names no case");
  if (original === undefined) return refuse("it brings no seal of the message it replaces");
  const author = senderOf(envelope);
  const sender = agentNameOf(author);
  const isFirst = agentNameOf(path.at(-2) ?? "") === sender;
  if (isFirst && original.message_id !== parent_id) refuse("its seal is of another message");
  if (isFirst && original.encoding === "" && original.sealed_digest !== parent_digest)
    refuse("its seal is of other bytes");
  const edge = edgeOf(original.key_id);
  if (edge.from !== sender || isSurgeon(author)) refuse("its seal is not of who sent the message");
  const isForHere = edge.to === receiver.agent;
  if (isForHere) verify(original, receiver.keyring, refuse);
  if (!isForHere && !isDeclared(receiver.team, edge)) refuse("its team declares no such edge");
}

function verify(
  original: NonNullable<Envelope["meta"]["original_seal"]>,
  keyring: Keyring,
  refuse: (problem: string) => never,
): void {
  try {
    verifyOriginalSeal(original, keyring);
  } catch (error) {
    if (!(error instanceof UntrustedMessageError)) throw error;
    refuse(`the seal of the message it replaces does not hold (${error.code})`);
  }
}

/** Key ids are `from>to#generation`; the keyring refuses any other. */
function edgeOf(keyId: string): { readonly from: string; readonly to: string } {
  const [edge = ""] = keyId.split("#");
  const [from = "", to = ""] = edge.split(">");
  return { from, to };
}

function isDeclared({ agents, edges }: Team, { from, to }: { from: string; to: string }): boolean {
  if (from === "gateway") return agents.has(to);
  return edges.some((one) => one.from === from && one.to === to);
}
