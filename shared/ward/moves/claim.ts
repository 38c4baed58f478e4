import { now } from "#shared/clock";
import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import { CaseRecord } from "../case-record.ts";
import { moveCase } from "./move-case.ts";
import { takenUp } from "./run-changes.ts";
import { carryDecision } from "../decisions/sign-decision.ts";
import type { DecisionContext } from "../decisions/sign-decision.ts";

export interface Claim {
  readonly from: StoredCase;
  readonly by: string;
  readonly fence: CaseFence;
}

/**
 * Takes a case into surgery. A case that is in surgery already belonged to a surgeon whose job this one now holds.
 *
 * @returns The case as claimed; null when somebody else changed it or holds the job.
 */
export async function claimCase(store: Store, claim: Claim): Promise<StoredCase | null> {
  const { from, by, fence } = claim;
  const changes = from.status === "quarantined" ? [takenUp(from)] : [];
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

/** Longest reason that is kept on a case, in characters. */
const WAITS_WHY_CHARS_MAX = 500;

/**
 * Puts a case back to be looked at later: the endpoint is down, the hour's money is spent. No operation was made, and
 * none is counted. The case says what it waits for, and until when.
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

/**
 * Calls the surgeon again for a case whose job was lost or died with its process. What people decided about it
 * meanwhile is carried over to its new version.
 */
export async function restartCase(context: DecisionContext, from: StoredCase, why: string): Promise<boolean> {
  return moveCase(context.store, {
    from,
    to: from.status === "in_surgery" ? "admitted" : from.status,
    by: "ward",
    action: "restart",
    why,
    sets: { restarts: new CaseRecord(from).restarts + 1, ...(await carryDecision(context, from)) },
    wake: { delayMs: 0 },
  });
}
