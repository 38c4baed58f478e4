import { defineError } from "#shared/errors";
import type { Issue } from "#shared/errors";

/** A guard declaration is invalid: the author's bug, found at start-up. */
export class GuardDefinitionError extends defineError((problem: string) => ({
  code: "GUARD_DEFINITION",
  failureClass: "handler_error",
  severity: "fatal",
  message: `A guard cannot be used: ${problem}.`,
  remedy: "Correct the agent's `guard` and start again.",
})) {}

/** The agent attempted an action that it does not declare. */
export class ActionUndeclaredError extends defineError((agent: string, action: string) => ({
  code: "ACTION_UNDECLARED",
  failureClass: "unsafe",
  severity: "fatal",
  message: `${agent} may not cause ${action.slice(0, 64)}: it does not declare that action.`,
  remedy: "Find out what made it try; if it is meant to, add the action to its guard's `mayCause`.",
})) {}

/** The run's scope was narrowed and no longer contains the action. */
export class ActionOutOfScopeError extends defineError((agent: string, action: string) => ({
  code: "ACTION_OUT_OF_SCOPE",
  failureClass: "unsafe",
  severity: "fatal",
  message: `${agent} may not cause ${action.slice(0, 64)} in this run: an earlier handoff narrowed what it may do.`,
  remedy:
    "Look at the `mayCause` of the handoffs before this one: what is made from a message may cause no more than it.",
})) {}

/** The task's own constraints forbid the action. */
export class ActionForbiddenError extends defineError((agent: string, action: string) => ({
  code: "ACTION_FORBIDDEN",
  failureClass: "unsafe",
  severity: "fatal",
  message: `${agent} may not cause ${action.slice(0, 64)} in this run: its task forbids that action.`,
  remedy: "Submit the task again without the action in its constraint `forbidden_actions`, if it may happen.",
})) {}

/** The action would use tainted text that its agent refuses for it. */
export class ActionTaintedError extends defineError(
  (agent: string, what: { readonly action: string; readonly labels: readonly string[] }) => ({
    code: "ACTION_TAINTED",
    failureClass: "unsafe",
    severity: "fatal",
    message: `${agent} may not cause ${what.action.slice(0, 64)} by what came from: ${what.labels.join(", ")}.`,
    remedy:
      "Check by hand what the action would use; released by a person, the message goes on and this agent may act on it.",
  }),
) {}

/** An incoming text looks like a prompt injection. */
export class InjectionSuspectedError extends defineError((agent: string, issues: readonly Issue[]) => ({
  code: "INJECTION_SUSPECTED",
  failureClass: "unsafe",
  severity: "fatal",
  message: `What ${agent} was sent looks as if it gave orders to machines at ${issues.map(({ path }) => path || "/").join(", ")}.`,
  remedy:
    "Read the named fields; released by a person, the message goes on as it is, and this agent does not ask again.",
  issues,
})) {}
