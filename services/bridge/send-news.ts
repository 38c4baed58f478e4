import { z } from "zod";
import { sleep } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { NotFoundError } from "#shared/store";
import type { Return } from "#shared/store/crossings";
import type { BridgeParts, Places } from "./bridge.ts";
import { PATHS } from "./bridge.ts";
import { PeerRefusedError } from "./errors.ts";
import type { PeerLink } from "./link/peer-link.ts";

/** The maximum of news in one request, and their approximate maximum size. */
const NEWS_MAX = 200;
const NEWS_BYTES_MAX = 1024 * 1024;

/** Interval between two polls for news, in ms. */
const POLL_EVERY_MS = 50;

const PAUSE_MS = 100;
const PAUSE_MS_MAX = 5000;

const replySchema = z.object({
  cancelled: z.array(z.uuid()).max(NEWS_MAX),
  /** Places of news that the home cannot apply yet. A home of an earlier release knows none. */
  early: z.array(z.int().min(0)).max(NEWS_MAX).default([]),
});

/** The home has applied some of the news, and the others came too early. */
const STATUS_EARLY = 425;

export interface NewsSender {
  readonly parts: BridgeParts;
  readonly places: Places;
  readonly link: PeerLink;
}

/**
 * Sends one home what happened here to its runs, oldest first, until aborted. Confirmed news are deleted, unconfirmed
 * ones are sent again without limit. Several bridges may send at once: the home applies repeated news once.
 */
export async function sendNews(sender: NewsSender, signal: AbortSignal): Promise<void> {
  let pauseMs = PAUSE_MS;
  while (!signal.aborted) {
    try {
      const sent = await sendBatch(sender, signal);
      pauseMs = PAUSE_MS;
      if (sent === 0) await sleep(POLL_EVERY_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { cluster } = sender.link.peer;
      sender.parts.logger.warn({ err: error, cluster }, "news were not sent and will be sent again");
      await sleep(pauseMs, signal).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX);
    }
  }
}

/** Sends one batch. Returns the number of news that the home has confirmed. */
async function sendBatch({ parts, places, link }: NewsSender, signal: AbortSignal): Promise<number> {
  const { store } = parts;
  const { cluster } = link.peer;
  const news = withinBytes(await store.crossings.returns(cluster, NEWS_MAX));
  if (news.length === 0) return 0;
  const told = news.map(({ run_id, change }) => ({ run_id, change }));
  const { status, body } = await link.post(PATHS.news, Buffer.from(JSON.stringify({ told })), signal);
  if (status !== 200 && status !== STATUS_EARLY) throw new PeerRefusedError(cluster, `HTTP_${status}`);
  crashPoint("W25:after_told_before_forgotten");
  const { cancelled, early } = replySchema.parse(JSON.parse(body.toString()));
  // Before they are forgotten: what is not done is asked for again with the same news.
  await Promise.all(cancelled.map((runId) => cancelHere(parts, places, runId)));
  const confirmed = news.filter((_, place) => !early.includes(place));
  await store.crossings.forgetReturns(
    cluster,
    confirmed.map(({ id }) => id),
  );
  return confirmed.length;
}

/** The first whatever its size, so that none holds up the others for ever. */
function withinBytes(news: readonly Return[]): readonly Return[] {
  let bytes = 0;
  return news.filter(({ change }, index) => {
    bytes += change.reduce((sum, text) => sum + text.length, 0);
    return index === 0 || bytes <= NEWS_BYTES_MAX;
  });
}

async function cancelHere({ store, markLifeMs }: BridgeParts, places: Places, runId: string): Promise<void> {
  try {
    await store.runs.cancel({ runId, agents: places.here, by: "bridge", markLifeMs });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}
