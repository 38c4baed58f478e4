import type { FailureClass, Issue, Severity } from "./failure-class.ts";

export interface SutureErrorInit {
  readonly code: string;
  readonly failureClass: FailureClass;
  readonly message: string;
  readonly remedy: string;
  readonly issues?: readonly Issue[];
  readonly severity?: Severity;
  readonly cause?: unknown;
}

/**
 * The base of every error that Suture throws on purpose.
 *
 * Control flow may depend on `failureClass` and `code`, never on `message`: messages come from models, tools and
 * libraries too, and BullMQ gives some texts a meaning of its own.
 */
export class SutureError extends Error {
  /** Stable code, listed in docs/reference/errors.md. A retired code is never reused. */
  readonly code: string;
  /** The row of the failure table. It says what happened; the policy decides what follows. */
  readonly failureClass: FailureClass;
  /** What is wrong and where. Empty when no field is at fault. */
  readonly issues: readonly Issue[];
  /** What the person who reads this can do. One sentence; no secrets, no payload text. */
  readonly remedy: string;
  readonly severity: Severity;

  constructor(init: SutureErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = init.code;
    this.code = init.code;
    this.failureClass = init.failureClass;
    this.remedy = init.remedy;
    this.issues = init.issues ?? [];
    this.severity = init.severity ?? "recoverable";
  }

  /** JSON pointers to what is wrong. */
  get paths(): readonly string[] {
    return this.issues.map((issue) => issue.path);
  }
}
