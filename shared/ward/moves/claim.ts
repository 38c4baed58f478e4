import { now } from "#shared/clock";
import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import { CaseRecord } from "../case-record.ts";
import { moveCase } from "./move-case.ts";
import { reclaimed } from "./run-changes.ts";

export interface Claim {
  readonly from: StoredCase;
  readonly by: string;
  readonly fence: CaseFence;
}

/**
 * Claims a case for surgery. One already in surgery belonged to a crashed surgeon, whose job this one now holds.
 *
 * @returns The claimed case; null if it was changed meanwhile or another surgeon holds the job.
 */
export async function claimCase(store: Store, claim: Claim): Promise<StoredCase | null> {
  const { from, by, fence } = claim;
  const changes = from.status === "quarantined" ? [reclaimed(from)] : [];
  const isMoved = await moveCase(store, {
    from,
    to: "in_surgery",
    by,
    action: "claim",
    why: "",
    changes,
    fence,
    endsJob: false,
  });
  return isMoved ? store.cases.find(from.case_id) : null;
}

/** Maximum length of a stored reason, in characters. */
const WAITS_WHY_CHARS_MAX = 500;

/**
 * Postpones a case: the endpoint is down, or the hourly limit is spent. Counts no operation. The case shows what it
 * waits for, and until when.
 */
export async function postponeCase(
  store: Store,
  wait: Claim & { readonly delayMs: number; readonly why: string },
): Promise<boolean> {
  const { from, by, fence, delayMs, why } = wait;
  const wake = { delayMs: Math.max(1, Math.ceil(delayMs)) };
  return moveCase(store, {
    from,
    to: "admitted",
    by,
    action: "wait",
    why,
    detail: { delay_ms: delayMs },
    sets: { waits: { why: why.slice(0, WAITS_WHY_CHARS_MAX), until_ms: now() + wake.delayMs } },
    wake,
    fence,
  });
}

/** Queues a new job for a case whose job was lost or crashed. A waiting decision stays. */
export async function restartCase(store: Store, from: StoredCase, why: string): Promise<boolean> {
  return moveCase(store, {
    from,
    to: from.status === "in_surgery" ? "admitted" : from.status,
    by: "ward",
    action: "restart",
    why,
    sets: { restarts: new CaseRecord(from).restarts + 1 },
    wake: { delayMs: 0 },
  });
}
