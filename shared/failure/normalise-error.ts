import { timestamp } from "#shared/clock";
import { SutureError } from "#shared/errors";
import type { Failure, FailureClass, Issue, Severity } from "#shared/errors";

/** Where a failure happened: what the record of it needs beside the error itself. */
export interface FailureScene {
  readonly agent: string;
  readonly contract: string | null;
  readonly direction: Failure["direction"];
  readonly step?: string | null;
  readonly model?: string | null;
  readonly promptVersion?: string | null;
}

export const MESSAGE_CHARACTERS_MAX = 1000;

/** Issues kept of one failure; a payload of 80,000 wrong fields is as broken as one of a hundred. */
export const ISSUES_MAX = 100;

/**
 * Turns whatever was thrown into a failure record. Total: `null`, strings, cyclic objects and errors with hostile
 * names or messages all come out as `handler_error`, bounded in size. Only a SutureError says its own class; no text
 * ever decides one, because error texts come from models, tools and libraries.
 */
export function toFailure(thrown: unknown, scene: FailureScene): Failure {
  const told = thrown instanceof SutureError ? fromSutureError(thrown) : fromForeign(thrown);
  return {
    ...told,
    message: redactText(told.message).slice(0, MESSAGE_CHARACTERS_MAX),
    direction: scene.direction,
    agent: scene.agent,
    contract: scene.contract,
    step: scene.step ?? null,
    model: scene.model ?? null,
    prompt_version: scene.promptVersion ?? null,
    at: timestamp(),
  };
}

interface Told {
  readonly failure_class: FailureClass;
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly severity: Severity;
  readonly issues: readonly Issue[];
}

function fromSutureError(error: SutureError): Told {
  return {
    failure_class: error.failureClass,
    code: error.code,
    message: error.message,
    remedy: error.remedy,
    severity: error.severity,
    issues: error.issues.slice(0, ISSUES_MAX),
  };
}

function fromForeign(thrown: unknown): Told {
  return {
    failure_class: "handler_error",
    code: "HANDLER_THREW",
    message: `The agent's code threw ${describe(thrown)}.`,
    remedy:
      "Look at the agent's log for this message; correct the agent or its input and release the letter.",
    severity: "recoverable",
    issues: [],
  };
}

function describe(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return `${thrown.name}: ${thrown.message}`;
    return typeof thrown === "string" ? `the text "${thrown}"` : `a value of type ${typeof thrown}`;
  } catch {
    return "an error that cannot be read";
  }
}

/** Key-like words, bearer tokens, URLs' passwords and long opaque strings do not belong in a record. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{8,}/g, "[secret]"],
  [/\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi, "Bearer [secret]"],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,200}@/gi, "$1[secret]@"],
  [
    /\b((?:api[-_ ]?key|token|password|passwd|secret|authorization)\b["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/gi,
    "$1[secret]",
  ],
];

/** Takes what looks like a secret out of a text that goes into a record. Linear; bounded before it starts. */
export function redactText(text: string): string {
  let redacted = text.slice(0, MESSAGE_CHARACTERS_MAX * 4);
  for (const [pattern, replacement] of SECRETS) redacted = redacted.replace(pattern, replacement);
  return redacted;
}
