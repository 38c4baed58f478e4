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
 * Base class of every error that Suture throws on purpose. Branch on `failureClass` and `code`, never on `message`:
 * messages also come from models, tools and libraries, and BullMQ gives some texts a meaning of its own.
 */
export class SutureError extends Error {
  /** Stable code, listed in docs/reference/errors.md. A retired code is never reused. */
  readonly code: string;
  /** Failure class: what happened. `routeFailure` decides what follows. */
  readonly failureClass: FailureClass;
  /** Faults with their places. Empty if no field is at fault. */
  readonly issues: readonly Issue[];
  /** Advice to the reader, in one sentence; no secrets, no payload text. */
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

/** Members that an error has beside those of every other. */
type Own<Init> = Readonly<Omit<Init, keyof SutureErrorInit>>;

/** Returns an error class's base: `class GoneError extends defineError({ … }) {}`. Further members become fields. */
export function defineError<
  Given extends readonly unknown[] = [],
  Init extends SutureErrorInit = SutureErrorInit,
>(says: Init | ((...given: Given) => Init)): new (...given: Given) => SutureError & Own<Init> {
  const base = class extends SutureError {
    constructor(...given: Given) {
      const init = typeof says === "function" ? says(...given) : says;
      super(init);
      const own = Object.entries(init).filter(([name]) => !(name in this) && name !== "cause");
      Object.assign(this, Object.fromEntries(own));
    }
  };
  // The fields are assigned above.
  return base as unknown as new (...given: Given) => SutureError & Own<Init>;
}

/** A short code of an error of others, or of its cause, without their words. */
export function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return "unknown";
  return ("code" in cause && typeof cause.code === "string" ? cause.code : cause.name).slice(0, 64);
}
