import {
  agentNameOf,
  isSurgeon,
  senderOf,
  UntrustedMessageError,
  verifyOriginalSeal,
} from "#shared/envelope";
import type { Envelope, Keyring } from "#shared/envelope";
import type { Team } from "../define/define-team.ts";
import { DischargeUnfoundedError } from "../settle/handoff-errors.ts";

/** Who receives a discharge, and what is known there. */
export interface DischargeReceiver {
  readonly team: Team;
  /** By plain name. */
  readonly agent: string;
  readonly keyring: Keyring;
  /** Whether the keyring verifies every edge between agents, as that of an isolated agent does. */
  readonly verifiesAll: boolean;
}

/**
 * Holds a message of the surgeon against what the surgeon may send: a discharge that names its case and the message it
 * replaces, with the seal that an agent or the gateway made on the message that died first. That seal is verified where
 * its key is here: for a message to this agent always, for one to another agent that was rerouted or redirected where
 * keys are pairs. With shared secrets the surgeon is believed that it was. The team has to declare the edge.
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
  if (isForHere || receiver.verifiesAll) verify(original, receiver.keyring, refuse);
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

/** Keys are named `from>to#generation`; the keyring refuses any other name. */
function edgeOf(keyId: string): { readonly from: string; readonly to: string } {
  const [edge = ""] = keyId.split("#");
  const [from = "", to = ""] = edge.split(">");
  return { from, to };
}

function isDeclared({ agents, edges }: Team, { from, to }: { from: string; to: string }): boolean {
  if (from === "gateway") return agents.has(to);
  return edges.some((one) => one.from === from && one.to === to);
}
