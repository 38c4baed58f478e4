import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { moveEntry } from "../scripts/cases.ts";
import { caseKey } from "./read-page.ts";

/**
 * Takes an entry out of the inbox for good if its case has this mark; without one moves it to the end, or aside, where
 * the newest `most` are kept. Does nothing where it, or the mark, is not there: a failover may have taken either back.
 */
export async function moveInboxEntry(
  { redis, keys }: { readonly redis: RedisClient; readonly keys: Keys },
  entry: string,
  to: { readonly caseId: string; readonly field: string; readonly mark: string } | { readonly most: number },
): Promise<void> {
  const inbox = keys.inbox();
  const call =
    "most" in to
      ? { target: to.most === 0 ? inbox : keys.inboxRefused(), case: inbox, field: "", mark: null, ...to }
      : { target: inbox, case: caseKey(keys, to.caseId), field: to.field, mark: to.mark, most: 0 };
  await moveEntry.run(redis, { inbox, entry, ...call });
}
