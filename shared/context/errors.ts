import type { JsonBoundError } from "#shared/envelope/json";
import { defineError, SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { Approval, approvalStep } from "./resume-calls.ts";
import type { ToolCall } from "./resume-calls.ts";

/** A prompt, or the part of a packet that must be kept, exceeds the token budget. */
export class ContextTooLargeError extends defineError(
  (what: { readonly of: string; readonly tokens: number; readonly tokensMax: number }) => ({
    code: "CONTEXT_TOO_LARGE",
    failureClass: "budget_exceeded",
    severity: "fatal",
    message: `${what.of} has ${what.tokens} tokens; ${what.tokensMax} are left of its budget.`,
    remedy:
      "Compress the conversation first, let the step declare fewer fields, or raise the declared budget.",
  }),
) {}

/** The agent's declared needs do not name the step. */
export class NeedUndeclaredError extends defineError((agent: string, step: string) => ({
  code: "CONTEXT_NEED_UNDECLARED",
  failureClass: "handler_error",
  message: `${agent} asks a model in step ${step.slice(0, 64)}, for which it declares no needs.`,
  remedy: "Add the step to `needs`: an agent that declares needs declares them for every step.",
})) {}

/** The step's input lacks a field that its declaration needs. */
export class NeedMissingError extends defineError(
  (agent: string, missing: { readonly step: string; readonly paths: readonly string[] }) => ({
    code: "CONTEXT_NEED_MISSING",
    failureClass: "handler_error",
    message: `The prompt of step ${missing.step.slice(0, 64)} of ${agent} lacks ${missing.paths.join(", ")}.`,
    remedy: "Pass what the step needs in its input, or declare the field as optional.",
    issues: missing.paths.map((path) => ({ path, code: "missing", message: "required and missing" })),
  }),
) {}

/** A context declaration is invalid: the author's bug, found at start-up or at first use. */
export class ContextDefinitionError extends defineError((problem: string) => ({
  code: "CONTEXT_DEFINITION",
  failureClass: "handler_error",
  severity: "fatal",
  message: `This declaration about context cannot be used: ${problem}.`,
  remedy: "Correct the declaration and start again.",
})) {}

/** A context cannot be written as JSON and read back. */
export class ContextNotJsonError extends defineError((cause: JsonBoundError) => ({
  code: "CONTEXT_NOT_JSON",
  failureClass: "handler_error",
  message: `This context cannot be written: ${cause.message}`,
  remedy:
    "Keep texts, numbers, booleans, null, lists and plain objects in it, with no field named `__proto__`; store content and refer to it.",
  issues: cause.issues,
  cause,
})) {}

/** The bytes are no written context. */
export class ContextUnreadableError extends defineError((problem: string, issues: readonly Issue[] = []) => ({
  code: "CONTEXT_UNREADABLE",
  failureClass: "parse_error",
  message: `These bytes are no context: ${problem}.`,
  remedy: "Send what `writeContext` gives: compact JSON in UTF-8 with history, tool_state and metadata.",
  issues,
})) {}

/** A tool call needs a person's approval. The message waits in quarantine, and its expiry is suspended. */
export class ApprovalNeededError extends SutureError {
  readonly step: string;
  /** The document that a person completes: the call, without a decision. */
  readonly text: string;
  readonly contract = Approval;
  readonly model = null;

  constructor(agent: string, call: ToolCall) {
    super({
      code: "APPROVAL_NEEDED",
      failureClass: "unsafe",
      severity: "recoverable",
      message: `${agent} waits for a person before it calls ${call.tool.slice(0, 64)}.`,
      remedy: "Read the call in the case and approve or refuse it; the agent goes on from there.",
    });
    this.step = approvalStep(call);
    this.text = JSON.stringify({ call });
  }
}
