import { SutureError } from "#shared/errors";

/** A tool, or the list that a step offers, cannot be used. A bug of its author. */
export class ToolDefinitionError extends SutureError {
  constructor(name: string, problem: string) {
    super({
      code: "TOOL_DEFINITION",
      failureClass: "handler_error",
      severity: "fatal",
      message: `Tool ${name.slice(0, 64)} cannot be used: ${problem}.`,
      remedy: "Correct the tool's declaration and start again.",
    });
  }
}

/**
 * A tool cannot do what was asked, and nothing happened. Thrown by a tool's author: the model reads the message as the
 * call's result and goes on. Any other error of a tool that writes ends the delivery, which is tried again.
 */
export class ToolProblemError extends SutureError {
  /** @param message - For the model: at most 1,000 characters, without secrets. */
  constructor(message: string) {
    super({
      code: "TOOL_PROBLEM",
      failureClass: "content_error",
      message: message.slice(0, 1000),
      remedy: "Look at the call's arguments; inside a tool call the model reads this message and goes on.",
    });
  }
}

/**
 * A `write` broke off, and nobody knows whether it happened. Thrown by a tool's author: the call is not repeated before
 * its `reconcile`, else a person, has found out.
 */
export class ToolUncertainError extends SutureError {
  /** @param message - What broke off; without secrets. */
  constructor(message: string) {
    super({
      code: "TOOL_UNCERTAIN",
      failureClass: "unavailable",
      message: message.slice(0, 1000),
      remedy:
        "The tool's reconcile is asked; without one a person has to find out whether the effect happened.",
    });
  }
}

/** A tool exceeded its time limit. Of a tool that writes, nobody knows whether the effect happened. */
export class ToolTimeoutError extends SutureError {
  constructor(name: string, timeoutMs: number) {
    super({
      code: "TOOL_TIMEOUT",
      failureClass: "timeout",
      message: `Tool ${name} gave no result within ${timeoutMs} ms.`,
      remedy: "Pass the signal to everything that waits, or raise the tool's timeoutMs.",
    });
  }
}
