import { FieldReader } from "#shared/store";
import type { Store } from "#shared/store";
import { BatchStateError } from "../errors.ts";

/**
 * State of a batch.
 * - `dry_run`: at first; changes nothing and counts how many cases would pass.
 * - `planned`: waits for a person to start it.
 * - `canary`: the first few cases are in progress.
 * - `look`: waits for a person to check the canary.
 * - `running`: the rest, at the given rate.
 * - `done`, `stopped`: final; kept for the retention.
 *
 * A batch that waits for a person longer than the retention is stopped.
 */
export const BATCH_STATES = ["dry_run", "planned", "canary", "look", "running", "done", "stopped"] as const;

export type BatchState = (typeof BATCH_STATES)[number];

/** Decision for a whole group. `restore` reverts a discard, by `undoBatch` only. */
export type BatchDecision = "operate" | "release" | "discard" | "restore";

/** A batch with its progress. */
export interface Batch {
  readonly batch_id: string;
  readonly fingerprint: string;
  readonly decision: BatchDecision;
  readonly by: string;
  readonly why: string;
  readonly state: BatchState;
  readonly canary: number;
  readonly rate_per_second: number;
  /** The batch that a `restore` reverts; null for others. */
  readonly undoes: string | null;
  readonly created_ms: number;
  readonly changed_ms: number;
  /** Number of cases: those quarantined at the time of the request; of a `restore`, those to restore. */
  readonly total: number;
  /** Dry run: cases checked, and those that the free procedures would heal with proof. */
  readonly checked: number;
  readonly would_pass: number;
  /** Cases decided so far, and those in another state when their turn came. */
  readonly decided: number;
  readonly refused: number;
  /** Results as of the last complete check: runs that continued, and messages that died again. */
  readonly went_on: number;
  readonly died_again: number;
  /** Decided, without a result yet. */
  readonly under_way: number;
  /** Decided and not sent: quarantined again, discarded or deleted since. */
  readonly left_behind: number;
}

export async function findBatch(store: Store, batchId: string): Promise<Batch | null> {
  const fields = await store.cases.batches.find(batchId);
  return fields === null ? null : toBatch(batchId, fields);
}

/** @throws {BatchStateError} There is none of that name. */
export async function getBatch(store: Store, batchId: string): Promise<Batch> {
  const found = await findBatch(store, batchId);
  if (found === null) throw new BatchStateError(batchId, "there is none of that name");
  return found;
}

export async function findBatches(store: Store): Promise<Batch[]> {
  const ids = await store.cases.batches.ids();
  const found = await Promise.all(ids.map((id) => findBatch(store, id)));
  return found.filter((one) => one !== null).toSorted((a, b) => b.created_ms - a.created_ms);
}

function toBatch(batchId: string, fields: Readonly<Record<string, string>>): Batch {
  const reader = new FieldReader(fields);
  const count = (name: string): number => reader.number(name);
  const verified = count("went_on") + count("died_again") + count("left_behind");
  return {
    batch_id: batchId,
    fingerprint: fields["fingerprint"] ?? "",
    // `applyToGroup` writes it from its typed request.
    decision: fields["decision"] as BatchDecision,
    by: fields["by"] ?? "",
    why: fields["why"] ?? "",
    state: BATCH_STATES.find((one) => one === fields["state"]) ?? "stopped",
    canary: count("canary"),
    rate_per_second: count("rate_per_second"),
    undoes: fields["undoes"] ?? null,
    created_ms: count("created_ms"),
    changed_ms: count("changed_ms"),
    total: count("total"),
    checked: count("checked"),
    would_pass: count("would_pass"),
    decided: count("decided"),
    refused: count("refused"),
    went_on: count("went_on"),
    died_again: count("died_again"),
    under_way: Math.max(0, count("decided") - verified),
    left_behind: count("left_behind"),
  };
}
