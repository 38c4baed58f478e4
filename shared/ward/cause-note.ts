import { now, timestamp, uuidv7 } from "#shared/clock";
import type { Store } from "#shared/store";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { CauseNote } from "#shared/store/cases";
import { findCases } from "./find.ts";

/** Cases that a cause note is written from, at most. */
export const NOTE_EXAMPLES_MAX = 3;

/** Time after which a note that was asked for is asked for anew, in ms: its job was lost. */
const ASKED_MS_MAX = 5 * 60_000;

/**
 * Asks the surgeon for the cause note of a group: once, unless the last try failed.
 *
 * @returns The note as it is now; null if the group has no open case that it could be written from.
 */
export async function askForCauseNote(
  store: Store,
  { fingerprint, by }: { readonly fingerprint: string; readonly by: string },
): Promise<CauseNote | null> {
  const { causeNotes } = store.cases;
  const present = await causeNotes.find(fingerprint);
  const isUnderWay = present?.state === "asked" && now() - Date.parse(present.at) < ASKED_MS_MAX;
  if (present?.state === "written" || isUnderWay) return present;
  const filter = { fingerprint, statuses: OPEN_CASE_STATUSES };
  const counts = await Promise.all(
    store.awake.map(async (shard) => ({
      shard,
      count: (await findCases(shard, { filter, limit: 1 })).cases.length,
    })),
  );
  const shard = counts.find(({ count }) => count > 0)?.shard;
  if (shard === undefined) return null;
  const rest = { text: null, problem: null, model: null, cost: 0, examples: [] };
  const note: CauseNote = { state: "asked", by, at: timestamp(), ...rest };
  await causeNotes.set(fingerprint, note);
  await shard.queues.add({
    lane: "ward",
    agent: "ward",
    jobId: `cause.${uuidv7()}`,
    data: { cause_of: fingerprint },
    delayMs: 0,
    priority: "normal",
  });
  return note;
}
