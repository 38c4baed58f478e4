import { z } from "zod";
import { crashPoint } from "#shared/crash-points";
import { parseJson } from "#shared/envelope/json";
import { readChange } from "#shared/store/crossings";
import type { RunChange } from "#shared/store/runs";
import { carriedId, homeId, judgeNews } from "./judge-news.ts";
import { toHomeChanges } from "./to-home-changes.ts";
import type { Reception } from "./take-message.ts";
import { NewsMalformedError } from "../errors.ts";

const NEWS_MAX = 1000;
const HOUR_MS = 3_600_000;

const newsSchema = z.strictObject({
  told: z.array(z.strictObject({ run_id: z.uuid(), change: z.array(z.string()).max(20_000) })).max(NEWS_MAX),
});

/**
 * Applies what a peer tells of runs that are kept here, as far as it is the peer's to tell: see `judgeNews`. Each is
 * told once, however often it comes. Where one part cannot be read, nothing is applied; what is not the peer's is left
 * out, counted and logged.
 *
 * @returns Runs among them whose end was asked for here, for the peer to end its part too, and which of the news, by
 * their places, came before the news that they rest on and have to be told again.
 * @throws {NewsMalformedError | ReturnMalformedError} Nothing was applied.
 */
export async function takeNews(
  reception: Reception,
  { from, body }: { readonly from: string; readonly body: Uint8Array },
): Promise<{ readonly cancelled: readonly string[]; readonly early: readonly number[] }> {
  const { store, places, logger, config, limits, newsRefused } = reception;
  const changes = readNews(body).map(readChange);
  const byRun = Map.groupBy(changes, ({ event }) => event.run_id);
  const judged = await Promise.all(
    [...byRun].map(async ([runId, told]) => {
      const messageIds = [...new Set(told.flatMap(messagesOf))];
      const eventIds = [
        ...told.map((change) => homeId(from, change)),
        ...messageIds.map((id) => carriedId(from, id)),
      ];
      const record = await store.crossings.readRunState(runId, { messageIds, eventIds });
      const waitMs = config.memoryHours * HOUR_MS;
      const { resultBytesMax } = limits;
      const verdicts = judgeNews(told, { from, places, record, waitMs, resultBytesMax });
      // As they came: places among all of them are what the peer knows.
      return verdicts.map((one, index) => ({ ...one, told: told[index] }));
    }),
  );
  const early: number[] = [];
  const applied: RunChange[] = [];
  for (const { change, verdict, told } of judged.flat()) {
    if (verdict === "apply") applied.push(...toHomeChanges(change, from));
    if (verdict === "apply" || verdict === "known") continue;
    if (verdict === "early" && told !== undefined) early.push(changes.indexOf(told));
    newsRefused.add({ cluster: from, reason: verdict });
    const { run_id, message_id, type } = change.event;
    const of = { cluster: from, run_id, message_id, event_type: type, reason: verdict };
    if (verdict === "early") logger.info(of, "news of a message that is not known yet: to be told again");
    else logger.error(of, "a peer tells what is not its to tell: not applied");
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
