import { defineError } from "#shared/errors";

/** This machine cannot isolate untrusted code, so it is not run. */
export class SandboxUnavailableError extends defineError((missing: string) => ({
  code: "SANDBOX_UNAVAILABLE",
  failureClass: "unsafe",
  severity: "fatal",
  message: `Untrusted code is not run on this machine: ${missing}`,
  remedy:
    "Make what is missing available (docs/operating/isolation.md) and release the case, or run this agent on a machine that has it. " +
    "SUTURE_CODE_ISOLATION=off runs such code with the rights of the agent's own process.",
})) {}

/** Isolation worked before and could not be set up this time. */
export class SandboxNotStartedError extends defineError((cause: unknown) => ({
  code: "SANDBOX_NOT_STARTED",
  failureClass: "transient",
  message: "The isolated process could not be started.",
  remedy: "Look at this machine's processes and memory; the message is tried again.",
  cause,
})) {}
