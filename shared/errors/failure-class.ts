/** All failure classes (`docs/reference/failure-classes.md`): what happened. What follows, `shared/failure` decides. */
export const FAILURE_CLASSES = [
  // The payload cannot be read as JSON.
  "parse_error",
  // The payload does not match its contract.
  "validation_error",
  // The payload matches its schema, and its contract's own checks refuse it.
  "content_error",
  // The handler, a tool or the model endpoint took longer than its time limit (deadline).
  "timeout",
  // Redis, the network or a tool failed in a way that often passes.
  "transient",
  // The model endpoint is away, or its circuit breaker is open.
  "unavailable",
  // The model endpoint or a tool answered 429 (rate limit).
  "rate_limited",
  // The agent declined the work (`ctx.reject`).
  "rejected",
  // The message is of a newer version than this worker knows, as in a rolling upgrade.
  "unsupported_version",
  // The agent's code threw, or returned something that is not an outcome.
  "handler_error",
  // Several workers died over the message (poison message).
  "crash_loop",
  // The message's time to live (TTL) is over.
  "expired",
  // The run exceeded its maximum of hops.
  "hop_limit",
  // The run returned to an agent by an edge that is not declared as a loop.
  "loop_detected",
  // The run exceeded its budget of money, tokens or handoffs.
  "budget_exceeded",
  // The run was cancelled.
  "cancelled",
  // The seal does not verify: forged, altered or misdirected.
  "untrusted",
  // A guard refused it: prompt injection, leaked instructions or an action that the agent must not cause.
  "unsafe",
] as const;

export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Classes of a payload that is malformed or says what it may not, so that no other delivery mends it. */
export const PAYLOAD_FAILURES: readonly FailureClass[] = ["parse_error", "validation_error", "content_error"];

/** Classes of a limit that the run as a whole has met, which hundreds of its messages may meet. */
export const RUN_LIMITS: readonly FailureClass[] = ["hop_limit", "loop_detected", "budget_exceeded"];

/** `warning`: the run goes on with partial data; `recoverable`: another try or a repair may help; `fatal`: neither. */
export const SEVERITIES = ["warning", "recoverable", "fatal"] as const;

export type Severity = (typeof SEVERITIES)[number];

/** One fault at one place. `path` is a JSON pointer ("" is the whole value), `code` a stable identifier. */
export interface Issue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A failure record, kept beside a message: in ledger, ward, run's log and console. No payload text, no secret. */
export interface Failure {
  readonly failure_class: FailureClass;
  /** Stable code from the error register, e.g. `ENVELOPE_EXPIRED`. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly severity: Severity;
  /** `in`: the agent's input; `out`: the output of the agent or its model; `run`: neither. */
  readonly direction: "in" | "out" | "run";
  readonly agent: string;
  readonly contract: string | null;
  readonly issues: readonly Issue[];
  /** Step of the handler that failed, or the last one begun before its own code did. Null: none was begun. */
  readonly step: string | null;
  /** Frames of agent code that threw, own files first, as `handle (team/refunds.ts:14:22)`. Absent: it did not. */
  readonly stack?: readonly string[];
  readonly model: string | null;
  readonly prompt_version: string | null;
  /** RFC 3339, UTC. */
  readonly at: string;
}
