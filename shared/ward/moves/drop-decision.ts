import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import { moveCase } from "./move-case.ts";

/**
 * Takes back a decision that could not be carried out, and says why where the person looks.
 *
 * @returns false when somebody else changed the case or holds the job.
 */
export async function dropDecision(
  store: Store,
  request: {
    readonly from: StoredCase;
    readonly by: string;
    readonly why: string;
    readonly fence: CaseFence;
    /** The change that waits for a second person is taken away, too. Default false. */
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
