import type { CaseFence, Store, StoredCase } from "#shared/store";
import type { Proposal } from "./decision.ts";
import { moveCase } from "./move-case.ts";
import { writeOperation } from "./operation.ts";
import type { OperationRecord } from "./operation.ts";
import { operated, quarantined } from "./run-changes.ts";

export interface Quarantine {
  readonly from: StoredCase;
  readonly by: string;
  /** What a person should know: why no machine went on. No payload text. */
  readonly diagnosis: string;
  /** The stay in surgery that led here; null when there was none. */
  readonly operation: OperationRecord | null;
  /** A change that waits for a second person. */
  readonly proposal?: Proposal;
  /** False leaves the run of the case's record alone. Default true. */
  readonly tellsRun?: boolean;
  /** Absent when a case without a job is put aside by upkeep. */
  readonly fence?: CaseFence;
}

/** Leaves a case to people. @returns false when somebody else changed it or holds the job. */
export async function quarantineCase(store: Store, request: Quarantine): Promise<boolean> {
  const { from, by, diagnosis, operation, proposal, tellsRun = true, fence } = request;
  return moveCase(store, {
    from,
    to: "quarantined",
    by,
    action: "quarantine",
    why: diagnosis,
    sets: {
      diagnosis,
      ...operationFields(operation),
      ...(proposal === undefined ? {} : { proposal: JSON.stringify(proposal) }),
    },
    removes: ["decision", "job_id", ...paidAnswerOf(operation)],
    changes: [
      ...(operation === null ? [] : [operated(from, operation)]),
      ...(tellsRun ? [quarantined(from, diagnosis)] : []),
    ],
    ...(fence === undefined ? {} : { fence }),
  });
}

/** Old operations of a case that keeps being released go first. */
const OPERATIONS_KEPT = 20;

/** What is written down of one stay in surgery. */
export function operationFields(operation: OperationRecord | null): Record<string, string> {
  if (operation === null) return {};
  const slot = ((operation.number - 1) % OPERATIONS_KEPT) + 1;
  return { operations: String(operation.number), [`operation:${slot}`]: writeOperation(operation) };
}

/**
 * How often a model may look at one letter in one stay in surgery: once, and once more at what the proof objected.
 */
export type Look = 1 | 2;

/** Where the surgeon keeps a model's answer it paid for, while one stay in surgery lasts. */
export function paidAnswerField(operation: number, look: Look): string {
  return look === 1 ? `answer:${operation}` : `answer:${operation}/2`;
}

export function isPaidAnswerField(name: string): boolean {
  return name.startsWith("answer:");
}

/** With the verdict written, the paid answers have done their work. */
export function paidAnswerOf(operation: OperationRecord | null): string[] {
  return operation === null
    ? []
    : [paidAnswerField(operation.number, 1), paidAnswerField(operation.number, 2)];
}
