import { FieldReader } from "#shared/store";
import type { Store } from "#shared/store";
import { BatchStateError } from "../errors.ts";

/**
 * Where work on a group stands. `dry_run`: enters when asked for, touches nothing, counts how many would pass;
 * `planned`: waits for a person to start it; `canary`: the first few are at work; `look`: waits for a person to look
 * at them; `running`: the rest, at the rate asked for; `done`, `stopped`: the end, kept for the retention. What waits
 * for a person longer than the retention is stopped.
 */
export const BATCH_STATES = ["dry_run", "planned", "canary", "look", "running", "done", "stopped"] as const;

export type BatchState = (typeof BATCH_STATES)[number];

/** What can be done to a whole group. `restore` undoes a discard, and is asked for with `undoBatch` only. */
export type BatchDecision = "operate" | "release" | "discard" | "restore";

/** Work on a whole group, as it stands. */
export interface Batch {
  readonly batch_id: string;
  readonly fingerprint: string;
  readonly decision: BatchDecision;
  readonly by: string;
  readonly why: string;
  readonly state: BatchState;
  readonly canary: number;
  readonly rate_per_second: number;
  /** The batch that a `restore` undoes; null for others. */
  readonly undoes: string | null;
  readonly created_ms: number;
  readonly changed_ms: number;
  /** Cases it takes in: those that waited in quarantine when it was asked for; of a `restore`, those to restore. */
  readonly total: number;
  /** Dry run: cases looked at, and those that the procedures which cost nothing would heal, with proof. */
  readonly checked: number;
  readonly would_pass: number;
  /** Cases decided so far, and those that were not in a state for it any more. */
  readonly decided: number;
  readonly refused: number;
  /** Verified, as of the last walk over all its cases: their runs went on, or their messages died again. */
  readonly went_on: number;
  readonly died_again: number;
  /** Decided, and not yet seen to have come to anything. */
  readonly under_way: number;
  /** Decided, and not sent on: still with a person, discarded, or forgotten since. */
  readonly left_behind: number;
  /** Why the surgeon stopped it by itself; null where it did not. */
  readonly problem: string | null;
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
    // Written by `applyToGroup` from its typed request.
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
    problem: fields["problem"] ?? null,
  };
}
