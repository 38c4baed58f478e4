import { z } from "zod";
import { jsonValueOf } from "#shared/schema";
import type { CaseStatus } from "#shared/store/cases";

/** Times that a `Date` holds, in ms. */
const NUMBER_MAX = 8.64e15;

const count = z.coerce.number().min(-NUMBER_MAX).max(NUMBER_MAX).catch(0);
const text = z.string().catch("");
const textOrNull = z.string().nullable().catch(null);

/** Fields of a batch as texts, its progress included: a runner goes on where another one was killed. */
export const storedSchema = z.object({
  fingerprint: text,
  /** `restore` reverts another one, by `undo` only; a damaged field too, which finds nothing to revert. */
  decision: z.enum(["operate", "release", "discard", "restore"]).catch("restore"),
  by: text,
  /** Identity of the person, the same for all their API keys; null if unknown. */
  person: textOrNull,
  why: text,
  /** `1`: a person has looked whether effects may be repeated, for a source that cannot tell. */
  accepts_effects: text,
  /** `1`: cases that the dry run found to fail are left alone. */
  only_passing: text,
  /**
   * - `dry_run`: at first; changes nothing and counts how many cases would pass.
   * - `planned`: waits for a person to start it.
   * - `canary`: the first few cases are in progress.
   * - `look`: waits for a person, after the canary or a pause.
   * - `running`: the rest, at the given rate.
   * - `done`, `stopped`: final.
   */
  state: z.enum(["dry_run", "planned", "canary", "look", "running", "done", "stopped"]).catch("stopped"),
  canary: count,
  rate_per_second: count,
  /** The batch that a `restore` reverts; null for others. */
  undoes: textOrNull,
  created_ms: count,
  changed_ms: count,
  /** Number of cases: those that waited at the time of the request; of a `restore`, those to restore. */
  total: count,
  /** Dry run: cases checked, and those that the decision would help, which are decided first. */
  checked: count,
  would_pass: count,
  /** Cases decided so far, and those left alone when their turn came, by reason. */
  decided: count,
  refused: count,
  refusals: z.string().transform(jsonValueOf).pipe(z.record(z.string(), z.number())).catch({}),
  /** Results as of the last complete check: cases that went on, and those that died again. */
  went_on: count,
  died_again: count,
  /** Decided and not sent: quarantined again, discarded or deleted since. */
  left_behind: count,
  /** The error that ended it; null if none did. */
  problem: textOrNull,
});

/** A batch with its progress. */
export interface Batch extends Readonly<z.infer<typeof storedSchema>> {
  readonly batch_id: string;
  /** Decided, without a result yet. */
  readonly under_way: number;
}

export type BatchDecision = Batch["decision"];

/** Reads a batch; a damaged field counts as an absent one. */
export function toBatch(batchId: string, fields: StoredBatch): Batch {
  const stored = storedSchema.parse(fields);
  const { decided, went_on, died_again, left_behind } = stored;
  const under_way = Math.max(0, decided - went_on - died_again - left_behind);
  return { ...stored, batch_id: batchId, under_way };
}

/** States in which a runner has something to do. */
export const ACTIVE: ReadonlySet<Batch["state"]> = new Set(["dry_run", "canary", "running"]);

export function hasEnded({ state }: Batch): boolean {
  return state === "done" || state === "stopped";
}

/** Returns how many cases a batch decides on. */
export function lengthOf({ only_passing, checked, would_pass, total }: Batch): number {
  return only_passing === "1" && checked >= total ? would_pass : total;
}

/** `not_yet`: undecided; `left_alone`: would not pass; `refused`: not decided in its turn. Healed: only `went_on`. */
export const CASE_RESULTS = [
  "not_yet",
  "left_alone",
  "refused",
  "under_way",
  "went_on",
  "died_again",
  "ended",
] as const;

/** One case of a batch with its present result. */
export interface BatchCase {
  readonly case_id: string;
  /** Null if the case was deleted meanwhile. */
  readonly status: CaseStatus | null;
  readonly agent: string;
  readonly result: (typeof CASE_RESULTS)[number];
}

/** Cases that batches work on: the ward's own, or the failed jobs of a queue. */
export interface Source {
  readonly decisions: readonly BatchDecision[];
  /** Decisions that can be undone. */
  readonly reverts: readonly BatchDecision[];
  /** Yields the ids of the cases of a group that wait now. */
  members(fingerprint: string): AsyncIterable<readonly string[]>;
  /** Returns whether the decision would help a case. Changes nothing. */
  wouldPass(id: string, batch: Batch): Promise<boolean>;
  /** Carries out the decision on a case once, also if called again after a crash. `later`: its turn has not come. */
  decide(id: string, batch: Batch): Promise<"decided" | "later" | { readonly refused: string }>;
  look(id: string, batch: Batch): Promise<BatchCase>;
  /** Returns true if the first of these batches acted on the case and none of the others has reverted that. */
  isUndoable(id: string, batchIds: readonly [string, ...string[]]): Promise<boolean>;
}

export type StoredBatch = Readonly<Record<string, string>>;

/** Ids of cases, in pages. */
export type CasePages = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/** Keeps batches: in Redis, or in the memory of this process. */
export interface BatchStore {
  /** Sets `total` itself, when it has taken in all cases. */
  create(batchId: string, fields: StoredBatch, pages: CasePages): Promise<void>;
  find(batchId: string): Promise<StoredBatch | null>;
  ids(): Promise<string[]>;
  cases(batchId: string, range: { readonly from: number; readonly limit: number }): Promise<string[]>;
  set(batchId: string, fields: StoredBatch): Promise<void>;
  /** Moves a batch from one state to another (compare-and-set). @returns False if it was not in the state `from`. */
  move(
    batchId: string,
    change: { readonly from: string; readonly to: string; readonly atMs: number },
  ): Promise<boolean>;
  /** Notes that these cases would pass. */
  pass(batchId: string, ids: readonly string[]): Promise<void>;
  /** Puts those before the others. Idempotent. */
  putPassingFirst(batchId: string): Promise<void>;
  forget(batchId: string): Promise<void>;
}
