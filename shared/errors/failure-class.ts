/**
 * Every way a message can go wrong, as the failure table of `docs/errors.md` lists them.
 * The class says what happened; `shared/failure` alone decides what follows from it.
 */
export const FAILURE_CLASSES = [
  "parse_error",
  "validation_error",
  "content_error",
  "timeout",
  "transient",
  "unavailable",
  "rate_limited",
  "rejected",
  "unsupported_version",
  "handler_error",
  "crash_loop",
  "expired",
  "hop_limit",
  "loop_detected",
  "budget_exceeded",
  "cancelled",
  "untrusted",
  "unsafe",
] as const;

export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** `warning`: the run goes on with partial data; `recoverable`: another try or a repair may help; `fatal`: neither. */
export const SEVERITIES = ["warning", "recoverable", "fatal"] as const;

export type Severity = (typeof SEVERITIES)[number];

/** One thing that is wrong at one place. `path` is a JSON pointer ("" is the whole value), `code` a stable word. */
export interface Issue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/**
 * A failure as it travels beside a message, never inside it: to the ledger, the ward, the run's log and the console.
 * Holds no payload text and no secret.
 */
export interface Failure {
  readonly failure_class: FailureClass;
  /** Stable code from the error register, e.g. `ENVELOPE_EXPIRED`. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly severity: Severity;
  /** `in`: the payload an agent was sent; `out`: what the agent or its model made; `run`: neither. */
  readonly direction: "in" | "out" | "run";
  readonly agent: string;
  readonly contract: string | null;
  readonly issues: readonly Issue[];
  /** Step of the handler whose model answer failed; null when no model call is at fault. */
  readonly step: string | null;
  readonly model: string | null;
  readonly prompt_version: string | null;
  /** RFC 3339, UTC. */
  readonly at: string;
}
