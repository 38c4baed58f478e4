import { applyPatch } from "rfc6902";
import type { JsonValue } from "#shared/schema";
import { cheapestReading } from "#shared/ward";
import type { Attempt, OperationRecord } from "#shared/ward/moves";
import type { Subject } from "#shared/ward";

/** A repair by a procedure or a person, and its judgement. Evidence: null but for first aid. */
export type Repair = Omit<Attempt, "model" | "tokens" | "cost" | "duration_ms" | "evidence"> & {
  readonly value: JsonValue;
  readonly evidence: NonNullable<Attempt["evidence"]> | null;
};

const FORBIDDEN_STEP = /\/(?:__proto__|constructor|prototype)(?:\/|$)/;

/**
 * Returns the latest proposal for the message: the one that healed it, else the last objected to; an empty diff where
 * it was only read. Null where no procedure had an answer, or its record was not kept whole.
 */
export function rebuildRepair(
  subject: Subject,
  message: { readonly message_id: string; readonly history: readonly OperationRecord[] },
): Repair | null {
  const attempts = message.history
    .filter((operation) => operation.message_id === message.message_id)
    .flatMap((operation) => operation.attempts.map((attempt) => ({ ...attempt, trimmed: operation.trimmed })))
    .filter(({ diff, outcome, trimmed }) => diff.length > 0 || (outcome === "healed" && !trimmed));
  const attempt = attempts.findLast(({ outcome }) => outcome === "healed") ?? attempts.at(-1);
  if (attempt === undefined) return null;
  const value = patch(cheapestReading(subject) ?? null, attempt.diff);
  if (value === undefined) return null;
  const { diff, procedure, outcome, reason, said, provenance, objections, evidence = null } = attempt;
  const more = said === undefined ? {} : { said };
  return { value, diff, procedure, outcome, reason, ...more, provenance, objections, evidence };
}

/** Undefined where the patch does not fit. */
function patch(from: JsonValue, diff: Attempt["diff"]): JsonValue | undefined {
  if (diff.some((operation) => FORBIDDEN_STEP.test(operation.path))) return undefined;
  // In a holder, because a patch may replace the whole value.
  const holder = { value: structuredClone(from) };
  const faults = applyPatch(
    holder,
    diff.map((operation) => ({
      ...operation,
      path: `/value${operation.path}`,
      ...("from" in operation ? { from: `/value${operation.from}` } : {}),
    })),
  );
  return faults.every((fault) => fault === null) ? holder.value : undefined;
}
