import { z } from "zod";
import { crashPoint } from "#shared/crash-points";
import { parseJson } from "#shared/envelope";
import { readChange } from "#shared/store";
import type { RunChange } from "#shared/store";
import { toHomeChanges } from "./to-home-changes.ts";
import type { Reception } from "./take-message.ts";
import { NewsMalformedError } from "../errors.ts";

const NEWS_MAX = 1000;

const newsSchema = z.strictObject({
  told: z.array(z.strictObject({ run_id: z.uuid(), change: z.array(z.string()).max(20_000) })).max(NEWS_MAX),
});

/**
 * Applies what a peer tells of runs that are kept here. Each is told once, however often it comes; all of it or, where
 * one part cannot be read, nothing.
 *
 * @returns Runs among them whose end was asked for here, for the peer to end its part too.
 * @throws {NewsMalformedError | ReturnMalformedError} Nothing was applied.
 */
export async function takeNews(
  { store, places, logger }: Reception,
  { from, body }: { readonly from: string; readonly body: Uint8Array },
): Promise<{ readonly cancelled: readonly string[] }> {
  const changes = readNews(body).map(readChange);
  const byRun = Map.groupBy(changes, ({ event }) => event.run_id);
  const permitted = await Promise.all(
    [...byRun].map(async ([runId, told]) => {
      const ids = told.map(({ event }) => event.message_id ?? "");
      const found = await store.crossings.placesOf(runId, ids);
      const mayTell = told.map((_, index) => isElsewhere(found[index] ?? null));
      for (const [index, { event }] of told.entries()) {
        if (!mayTell[index])
          logger.error(
            { cluster: from, run_id: runId, message_id: event.message_id, event_type: event.type },
            "a peer tells of a message that is held here: not applied",
          );
      }
      return told.filter((_, index) => mayTell[index]);
    }),
  );
  const applied: RunChange[] = permitted.flat().flatMap((change) => toHomeChanges(change, from));
  await store.crossings.tellRuns(applied);
  crashPoint("W25:after_apply_before_reply");
  return { cancelled: await store.crossings.cancelledAmong([...byRun.keys()]) };

  /** What an agent here holds, only this cluster can tell of. */
  function isElsewhere(place: { readonly state: string; readonly agent: string } | null): boolean {
    return place === null || place.state === "away" || !places.isHere(place.agent);
  }
}

function readNews(body: Uint8Array): z.output<typeof newsSchema>["told"] {
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString();
    return newsSchema.parse(parseJson(text)).told;
  } catch {
    throw new NewsMalformedError();
  }
}
