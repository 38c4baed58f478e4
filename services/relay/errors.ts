import { SutureError } from "#shared/errors";

/** Reasons for refusing an entry; label values of the metric. */
export const REFUSAL_REASONS = [
  "malformed",
  "too_large",
  "event",
  "send",
  "branch",
  "admission",
  "cost",
  "not_held",
  "settled",
  "unknown_run",
  "handoffs",
  "presence",
] as const;

export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** The message that an entry claims to be about. Trusted only if the run's own record agrees. */
export interface ClaimedMessage {
  readonly runId: string;
  readonly messageId: string;
}

/** An agent asked for something that it must not do. Nothing of the entry was delivered. */
export class EntryRefusedError extends SutureError {
  readonly reason: RefusalReason;
  /** Null if the entry names none. */
  readonly claimed: ClaimedMessage | null;

  constructor(
    refused: {
      readonly agent: string;
      readonly reason: RefusalReason;
      readonly problem: string;
      readonly claimed?: ClaimedMessage | null;
    },
    cause?: unknown,
  ) {
    super({
      code: "RELAY_ENTRY_REFUSED",
      failureClass: "untrusted",
      severity: "fatal",
      message: `The agent ${refused.agent} asked the relay for something it must not do: ${refused.problem}.`,
      remedy:
        "Check the agent's process: it is compromised, or of a release that this relay does not know. Upgrade relays first.",
      cause,
    });
    this.reason = refused.reason;
    this.claimed = refused.claimed ?? null;
  }
}

/** The run's record does not have the message yet; its sender may still be writing it. The entry is retried. */
export class RunRecordBehindError extends SutureError {
  constructor(messageId: string) {
    super({
      code: "RELAY_RUN_NOT_TOLD",
      failureClass: "transient",
      message: `The run of message ${messageId} does not know it yet.`,
      remedy: "No action needed: the relay retries for a minute, then refuses the entry.",
    });
  }
}
