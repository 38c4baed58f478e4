import { agentNameOf, isSurgeon, senderOf } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import { UntrustedMessageError, verifyOriginalSeal } from "#shared/envelope/seals";
import { defineError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { HANDOFF_TYPE_DEFAULT } from "../define/check-team.ts";
import type { Team } from "../define/define-team.ts";
import type { Workplace } from "./delivery.ts";

/** Returns a handoff's type: the author's, else its edge's first. @throws {HandoffTypeUndeclaredError} */
export function typeOfHandoff(
  team: Team,
  { from, to, said }: { readonly from: string; readonly to: string; readonly said: string | undefined },
): string {
  const types = team.matrix.get(to)?.get(from) ?? [];
  const type = said ?? types[0] ?? HANDOFF_TYPE_DEFAULT;
  if (!types.includes(type)) throw new HandoffTypeUndeclaredError({ from, to, type });
  return type;
}

/**
 * Checks an incoming message against the handoff matrix. The key already proves that its sender may write to this
 * agent; a key may outlive its edge, and does not cover types.
 * @throws {HandoffRefusedError} Not declared.
 * @throws {HandoffNewerError} Not declared here, but the sender is newer and may know a newer matrix.
 */
export function checkHandoffType(team: Team, to: string, meta: Envelope["meta"]): void {
  const from = agentNameOf(meta.source_agent);
  const type = meta.handoff_type;
  if (team.matrix.get(to)?.get(from)?.includes(type) === true) return;
  const known = team.agents.get(from);
  const isNewer =
    known === undefined ? from !== "gateway" && from !== "surgeon" : known.version < versionOf(meta);
  throw isNewer ? new HandoffNewerError({ from, to, type }) : new HandoffRefusedError({ from, to, type });
}

/** The envelope's schema guarantees that every agent id has a version. */
function versionOf({ source_agent }: Envelope["meta"]): number {
  return Number(source_agent.slice(source_agent.lastIndexOf("@") + 1));
}

/**
 * Checks a message of the surgeon: it must be a discharge that names its case and the message it replaces, with the
 * seal of the message that died first. That seal is verified where its key is: for a message to this agent. For a
 * rerouted or redirected one the surgeon is trusted about it. The team must declare the edge.
 * @throws {DischargeUnfoundedError}
 */
export function checkDischarge(
  envelope: Envelope,
  { team, agent: { name }, keyring }: Pick<Workplace, "team" | "agent" | "keyring">,
): void {
  const { parent_id, parent_digest, case_id, path, original_seal: original } = envelope.meta;
  const refuse = (problem: string): never => {
    throw new DischargeUnfoundedError(name, problem);
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
  const isForHere = edge.to === name;
  if (isForHere) verify(original, keyring, refuse);
  if (!isForHere && !isDeclared(team, edge)) refuse("its team declares no such edge");
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

/** Type, sender and receiver that a handoff claims; bounded by the envelope's schema. */
interface ClaimedHandoff {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

const UNDECLARED: readonly Issue[] = [
  { path: "/meta/handoff_type", code: "undeclared", message: "not in the team's handoff matrix" },
];

/** An agent uses a handoff type that its edge does not declare. A bug of its author. */
class HandoffTypeUndeclaredError extends defineError(({ from, to, type }: ClaimedHandoff) => ({
  code: "HANDOFF_TYPE_UNDECLARED",
  failureClass: "handler_error",
  message: `${from} may not hand to ${to} as ${type.slice(0, 64)}: the edge declares no such type.`,
  remedy: "Name the type in the team's `handoffTypes`, or hand on with one that is there.",
  issues: UNDECLARED,
})) {}

/** A genuine message of a type that its sender may not send here. Quarantined. */
export class HandoffRefusedError extends defineError(({ from, to, type }: ClaimedHandoff) => ({
  code: "HANDOFF_REFUSED",
  failureClass: "unsafe",
  message: `${to} takes no ${type.slice(0, 64)} from ${from.slice(0, 64)}.`,
  remedy: "Find out why it was sent; if it is meant to be, name the type in the team's `handoffTypes` first.",
  issues: UNDECLARED,
})) {}

/** The sender is newer than this worker's team, so its matrix may be, too. */
class HandoffNewerError extends defineError(({ from, to, type }: ClaimedHandoff) => ({
  code: "HANDOFF_NEWER",
  failureClass: "unsupported_version",
  message: `${to} does not know ${type.slice(0, 64)} from ${from.slice(0, 64)}, which is newer than this worker.`,
  remedy: "Start workers of the newer release; the message waits for them.",
})) {}

/** A message sealed by the surgeon is not a valid discharge. Quarantined; a person may release it. */
class DischargeUnfoundedError extends defineError((agent: string, problem: string) => ({
  code: "DISCHARGE_UNFOUNDED",
  failureClass: "untrusted",
  severity: "fatal",
  message: `${agent} does not take this message from the surgeon: ${problem}.`,
  remedy:
    "After an upgrade, release it: an older surgeon sent it. Else find out who has the surgeon's key, and rotate it.",
})) {}
