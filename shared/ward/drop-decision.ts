import type { CaseFence, Store, StoredCase } from "#shared/store";
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
