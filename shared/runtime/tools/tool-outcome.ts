import { whenAborted } from "#shared/clock";
import type { Issue } from "#shared/errors";

/** Reason for which a call has no result. */
export type ToolProblemCode =
  | "unknown_tool"
  | "bad_arguments"
  | "tool_failed"
  | "timed_out"
  | "bad_output"
  | "output_too_large"
  | "too_many_calls"
  | "cut_off"
  | "no_room";

/** Outcome of a call, as the model reads it. Always JSON. */
export type ToolOutcome =
  | {
      readonly status: "done";
      readonly output: unknown;
      /** A `write` happened, and its result cannot be shown. */
      readonly problem?: ToolProblemCode;
    }
  | {
      readonly status: "failed";
      readonly code: ToolProblemCode;
      readonly message: string;
      readonly issues?: readonly Issue[];
    }
  /** A person refused the call. */
  | { readonly status: "refused"; readonly note: string };

const ISSUES_MAX = 10;
const MESSAGE_CHARACTERS_MAX = 1000;

/** Writes a failed call. Bounded, whatever it quotes. */
export function failed(code: ToolProblemCode, message: string, issues: readonly Issue[] = []): ToolOutcome {
  const told = issues.slice(0, ISSUES_MAX).map((issue) => ({
    path: issue.path.slice(0, 200),
    code: issue.code,
    message: issue.message.slice(0, 200),
  }));
  return {
    status: "failed",
    code,
    message: message.slice(0, MESSAGE_CHARACTERS_MAX),
    ...(told.length === 0 ? {} : { issues: told }),
  };
}

/** Runs work within a time limit; work that ignores its signal is abandoned. */
export async function withinTime<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  limit: {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    readonly toError: () => Error;
  },
): Promise<Value> {
  const overtime = new AbortController();
  const timer = setTimeout(() => overtime.abort(limit.toError()), limit.timeoutMs);
  const both = AbortSignal.any([limit.signal, overtime.signal]);
  try {
    const pending = work(both);
    pending.catch(() => undefined);
    return await Promise.race([pending, whenAborted(both)]);
  } finally {
    clearTimeout(timer);
  }
}
