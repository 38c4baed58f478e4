import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import { moveCase } from "./move-case.ts";

/**
 * Withdraws a decision that could not be carried out, with a diagnosis for the person.
 *
 * @returns False if the case was changed meanwhile or another surgeon holds the job.
 */
export async function dropDecision(
  store: Store,
  request: {
    readonly from: StoredCase;
    readonly by: string;
    readonly why: string;
    readonly fence: CaseFence;
  },
): Promise<boolean> {
  const { from, by, why, fence } = request;
  return moveCase(store, {
    from,
    to: from.status,
    by,
    action: "refuse",
    why,
    sets: { diagnosis: why },
    removes: ["decision"],
    fence,
  });
}
