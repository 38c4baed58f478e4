import { SutureError } from "#shared/errors";

/** What a handoff claims to be, and between whom. Names and words that the envelope's schema bounds. */
export interface ClaimedHandoff {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

/** An agent hands on with a type that its edge does not declare. Its author's bug. */
export class HandoffTypeUndeclaredError extends SutureError {
  constructor({ from, to, type }: ClaimedHandoff) {
    super({
      code: "HANDOFF_TYPE_UNDECLARED",
      failureClass: "handler_error",
      message: `${from} may not hand to ${to} as ${type.slice(0, 64)}: the edge declares no such type.`,
      remedy: "Name the type in the team's `handoffTypes`, or hand on with one that is there.",
      issues: [
        { path: "/meta/handoff_type", code: "undeclared", message: "not in the team's handoff matrix" },
      ],
    });
  }
}

/** A genuine message of a type that its sender may not send here. Waits for a person, whoever signed it. */
export class HandoffRefusedError extends SutureError {
  constructor({ from, to, type }: ClaimedHandoff) {
    super({
      code: "HANDOFF_REFUSED",
      failureClass: "unsafe",
      message: `${to} takes no ${type.slice(0, 64)} from ${from.slice(0, 64)}.`,
      remedy:
        "Find out why it was sent; if it is meant to be, name the type in the team's `handoffTypes` first.",
      issues: [
        { path: "/meta/handoff_type", code: "undeclared", message: "not in the team's handoff matrix" },
      ],
    });
  }
}

/** The sender is newer than the team as this worker knows it, and so may be its matrix. */
export class HandoffNewerError extends SutureError {
  constructor({ from, to, type }: ClaimedHandoff) {
    super({
      code: "HANDOFF_NEWER",
      failureClass: "unsupported_version",
      message: `${to} does not know ${type.slice(0, 64)} from ${from.slice(0, 64)}, which is newer than this worker.`,
      remedy: "Start workers of the newer release; the message waits for them.",
    });
  }
}

/** A message is sealed as the surgeon's, and is not what a surgeon may send. Quarantined; a person may release it. */
export class DischargeUnfoundedError extends SutureError {
  constructor(agent: string, problem: string) {
    super({
      code: "DISCHARGE_UNFOUNDED",
      failureClass: "untrusted",
      severity: "fatal",
      message: `${agent} does not take this message from the surgeon: ${problem}.`,
      remedy:
        "After an upgrade, release it: an older surgeon sent it. Else find out who has the surgeon's key, and rotate it.",
    });
  }
}
