import { z } from "zod";
import { crashPoint } from "#shared/crash-points";
import { parseJson } from "#shared/envelope/json";
import { readChange } from "#shared/store/crossings";
import type { RunChange } from "#shared/store/runs";
import { carriedId, homeId, judgeNews } from "./judge-news.ts";
import { toHomeChanges } from "./to-home-changes.ts";
import type { Receiver } from "./take-message.ts";
import { NewsMalformedError } from "../errors.ts";

const NEWS_MAX = 1000;
const HOUR_MS = 3_600_000;

const newsSchema = z.strictObject({
  told: z.array(z.strictObject({ run_id: z.uuid(), change: z.array(z.string()).max(20_000) })).max(NEWS_MAX),
});

/**
 * Applies what a peer reports of runs that this cluster keeps, as far as `judgeNews` permits. Idempotent. Changes
 * that are not the peer's are dropped, counted and logged.
 * @returns `cancelled`: runs whose cancellation was requested here, for the peer to cancel too. `early`: indexes of
 * changes that arrived before the changes they depend on; the peer sends them again.
 * @throws {NewsMalformedError | ReturnMalformedError} Nothing was applied.
 */
export async function takeNews(
  receiver: Receiver,
  { from, body }: { readonly from: string; readonly body: Uint8Array },
): Promise<{ readonly cancelled: readonly string[]; readonly early: readonly number[] }> {
  const { store, directory, logger, config, limits, newsRefused } = receiver;
  const changes = readNews(body).map(readChange);
  const byRun = Map.groupBy(changes, ({ event }) => event.run_id);
  const judged = await Promise.all(
    [...byRun].map(async ([runId, reported]) => {
      const messageIds = [...new Set(reported.flatMap(messagesOf))];
      const eventIds = [
        ...reported.map((change) => homeId(from, change)),
        ...messageIds.map((id) => carriedId(from, id)),
      ];
      const record = await store.crossings.readRunState(runId, { messageIds, eventIds });
      const waitMs = config.memoryHours * HOUR_MS;
      const { resultBytesMax } = limits;
      const verdicts = judgeNews(reported, { from, directory, record, waitMs, resultBytesMax });
      // The peer knows a change by its index in the whole batch.
      return verdicts.map((one, index) => ({ ...one, original: reported[index] }));
    }),
  );
  const early: number[] = [];
  const applied: RunChange[] = [];
  for (const { change, verdict, original } of judged.flat()) {
    if (verdict === "apply") applied.push(...toHomeChanges(change, from));
    if (verdict === "apply" || verdict === "known") continue;
    if (verdict === "early" && original !== undefined) early.push(changes.indexOf(original));
    newsRefused.add({ cluster: from, reason: verdict });
    const { run_id, message_id, type } = change.event;
    const of = { cluster: from, run_id, message_id, event_type: type, reason: verdict };
    if (verdict === "early")
      logger.info(of, "news of a message that is not known yet; the peer sends them again");
    else logger.error(of, "a peer reported a change that is not its own; not applied");
  }
  await store.crossings.applyToRuns(applied);
  crashPoint("W25:after_apply_before_reply");
  return { cancelled: await store.crossings.cancelledAmong([...byRun.keys()]), early };
}

function messagesOf({ event, opens = [] }: RunChange): string[] {
  return [
    ...(event.message_id === null ? [] : [event.message_id]),
    ...opens.map(({ message_id }) => message_id),
  ];
}

function readNews(body: Uint8Array): z.output<typeof newsSchema>["told"] {
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString();
    return newsSchema.parse(parseJson(text)).told;
  } catch {
    throw new NewsMalformedError();
  }
}
