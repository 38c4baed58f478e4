import { defineError } from "#shared/errors";

/** A declaration of a remote agent cannot be used. A bug of its author. */
export class RemoteAgentDefinitionError extends defineError((id: string, problem: string) => ({
  code: "REMOTE_AGENT_DEFINITION",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Remote agent ${id} cannot be used: ${problem}.`,
  remedy: "Correct the declaration and start again.",
})) {}

/** The remote agent is away or broke off. */
export class RemoteAgentUnavailableError extends defineError((id: string, why: string) => ({
  code: "REMOTE_AGENT_UNAVAILABLE",
  failureClass: "unavailable",
  message: `The remote agent of ${id} ${why}.`,
  remedy: "The message waits by itself and asks for the same task again; check the address if it stays so.",
})) {}

/** The remote agent limits our rate. */
export class RemoteAgentRateLimitedError extends defineError((id: string, retryAfterMs: number) => ({
  code: "REMOTE_AGENT_RATE_LIMITED",
  failureClass: "rate_limited",
  message: `The remote agent of ${id} limits our rate for the next ${retryAfterMs} ms.`,
  remedy: "The message waits by itself; lower the agent's concurrency if that is too long.",
  retryAfterMs,
})) {}

/** The remote agent did not finish the task in time. It is asked for the same task again. */
export class RemoteAgentTimeoutError extends defineError((id: string, timeoutMs: number) => ({
  code: "REMOTE_AGENT_TIMEOUT",
  failureClass: "timeout",
  message: `The remote agent of ${id} did not finish within ${timeoutMs} ms.`,
  remedy: "The next delivery asks for the same task; raise `timeoutMs` if its tasks take longer.",
})) {}

/** The remote agent does what the protocol or its declaration does not allow. */
export class RemoteAgentProtocolError extends defineError((id: string, why: string) => ({
  code: "REMOTE_AGENT_PROTOCOL",
  failureClass: "handler_error",
  message: `The remote agent of ${id} cannot be used: it ${why}.`,
  remedy: "Check its address, its card and our key for it; another delivery tries again.",
})) {}

/** The remote agent ended the task without a result. The next delivery begins a new one. */
export class RemoteTaskFailedError extends defineError((id: string, state: string) => ({
  code: "REMOTE_TASK_FAILED",
  failureClass: "handler_error",
  message: `The remote agent of ${id} ended its task as ${state}.`,
  remedy: "The next delivery begins a new task there; read the task at the remote agent if it fails again.",
})) {}

/** The remote agent rejects the work, or asks for something that no message of a team can give. */
export class RemoteTaskRejectedError extends defineError((id: string, state: string) => ({
  code: "REMOTE_TASK_REJECTED",
  failureClass: "rejected",
  message: `The remote agent of ${id} does not take the task: ${state}.`,
  remedy: "The sender's fallbacks are tried; otherwise choose a receiver in the ward.",
})) {}
