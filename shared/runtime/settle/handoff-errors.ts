import { SutureError } from "#shared/errors";

/** Type, sender and receiver that a handoff claims; bounded by the envelope's schema. */
export interface ClaimedHandoff {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

/** An agent uses a handoff type that its edge does not declare. A bug of its author. */
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

/** A genuine message of a type that its sender may not send here. Quarantined. */
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

/** The sender is newer than this worker's team, so its matrix may be, too. */
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

/** A message sealed by the surgeon is not a valid discharge. Quarantined; a person may release it. */
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
