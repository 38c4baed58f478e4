import { defineError } from "#shared/errors";
import type { Issue } from "#shared/errors";

/** Places that a message names; `issues` has all. */
const PLACES_MAX = 10;

function namePlaces(issues: readonly Issue[]): string {
  const named = issues.slice(0, PLACES_MAX).map((issue) => issue.path || "/");
  const more = issues.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** A contract was declared in a way that cannot work. The author's bug, found at start-up. */
export class ContractDefinitionError extends defineError((id: string, problem: string, cause?: unknown) => ({
  code: "CONTRACT_DEFINITION",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Contract ${id} cannot be used: ${problem}.`,
  remedy: "Correct the declaration and start again.",
  cause,
})) {}

/** No contract of that name and version is known here. */
export class UnknownContractError extends defineError((id: string, known: readonly string[]) => ({
  code: "CONTRACT_UNKNOWN",
  failureClass: "validation_error",
  message: `No contract ${id} is known; known are ${known.join(", ") || "none"}.`,
  remedy: "Name a contract that the receiving agent accepts.",
  issues: [{ path: "/meta/contract", code: "unknown_contract", message: `unknown contract ${id}` }],
})) {}

/** The message claims a newer version than this worker has; a newer worker will take it. */
export class UnsupportedContractVersionError extends defineError((id: string, newest: number) => ({
  code: "CONTRACT_VERSION_UNSUPPORTED",
  failureClass: "unsupported_version",
  message: `Contract ${id} is newer than version ${newest}, the newest this worker knows.`,
  remedy: "Deploy a worker that knows the version; the message waits for it until it expires.",
  issues: [{ path: "/meta/contract", code: "unsupported_version", message: `newest known is ${newest}` }],
})) {}

/** The payload is not what its contract says. `issues` names every place. */
export class PayloadInvalidError extends defineError((id: string, issues: readonly Issue[]) => ({
  code: "PAYLOAD_INVALID",
  failureClass: "validation_error",
  message: `The payload does not satisfy ${id} at ${namePlaces(issues)}.`,
  remedy: "Send what the contract's schema asks for, or let the surgeon repair it.",
  issues,
})) {}

/** Well-formed, but the contract's own check says no. */
export class PayloadContentError extends defineError((id: string, issues: readonly Issue[]) => ({
  code: "PAYLOAD_CONTENT",
  failureClass: "content_error",
  message: `The payload satisfies the form of ${id} but not its meaning at ${namePlaces(issues)}.`,
  remedy: "Look at the case in the ward and decide what the right content is.",
  issues,
})) {}
