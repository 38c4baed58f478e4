import { SutureError } from "#shared/errors";

/** A prompt file lacks the part a step asks for. The author's bug, found at start-up. */
export class PromptPartMissingError extends SutureError {
  constructor(part: string) {
    super({
      code: "EDITORIAL_PROMPT_PART_MISSING",
      failureClass: "handler_error",
      severity: "fatal",
      message: `The prompt has no part called ${part}.`,
      remedy: "Add a heading of that name to the agent's prompt.md.",
    });
  }
}

/** A design leaves out a requirement, answers one twice, or answers another than was stated. */
export class DesignMismatchError extends SutureError {
  constructor(requirements: readonly string[]) {
    super({
      code: "EDITORIAL_DESIGN_MISMATCH",
      failureClass: "content_error",
      message: `The design does not answer these requirements as they were stated: ${requirements.join(", ")}.`,
      remedy: "Look at the design in the case; if a model keeps doing this, change the electronics prompt.",
    });
  }
}
