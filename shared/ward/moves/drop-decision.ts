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
    /** Also removes the proposal that waits for a second person. Default false. */
    readonly alsoProposal?: boolean;
  },
): Promise<boolean> {
  const { from, by, why, fence, alsoProposal = false } = request;
  return moveCase(store, {
    from,
    to: from.status,
    by,
    action: "refuse",
    why,
    sets: { diagnosis: why },
    removes: alsoProposal ? ["decision", "proposal"] : ["decision"],
    fence,
  });
}
