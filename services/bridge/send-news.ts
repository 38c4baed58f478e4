import { z } from "zod";
import { sleep } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { NotFoundError } from "#shared/store";
import type { Return } from "#shared/store/crossings";
import type { BridgeParts, AgentDirectory } from "./bridge.ts";
import { PATHS } from "./bridge.ts";
import { PeerRefusedError } from "./errors.ts";
import type { PeerLink } from "./link/peer-link.ts";

/** Maximum number of news in one request, and their approximate maximum size. */
const NEWS_MAX = 200;
const NEWS_BYTES_MAX = 1024 * 1024;

/** Interval between two polls for news, in ms. */
const POLL_EVERY_MS = 50;

const PAUSE_MS = 100;
const PAUSE_MS_MAX = 5000;

const replySchema = z.object({
  cancelled: z.array(z.uuid()).max(NEWS_MAX),
  /** Indexes of news that the home cannot apply yet. A home of an earlier release sends none. */
  early: z.array(z.int().min(0)).max(NEWS_MAX).default([]),
});

/** HTTP status for a batch of which the home applied only a part. */
const STATUS_EARLY = 425;

export interface NewsSender {
  readonly parts: BridgeParts;
  readonly directory: AgentDirectory;
  readonly link: PeerLink;
}

/**
 * Sends one home the changes of its runs that happened here, oldest first, until aborted. Deletes confirmed news and
 * repeats the others. Several bridges may send at once, because the home deduplicates.
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

/** Sends one batch and returns the number of confirmed news. */
async function sendBatch({ parts, directory, link }: NewsSender, signal: AbortSignal): Promise<number> {
  const { store } = parts;
  const { cluster } = link.peer;
  const news = withinBytes(await store.crossings.returns(cluster, NEWS_MAX));
  if (news.length === 0) return 0;
  const told = news.map(({ run_id, change }) => ({ run_id, change }));
  const { status, body } = await link.post(PATHS.news, Buffer.from(JSON.stringify({ told })), signal);
  if (status !== 200 && status !== STATUS_EARLY) throw new PeerRefusedError(cluster, `HTTP_${status}`);
  crashPoint("W25:after_told_before_forgotten");
  const { cancelled, early } = replySchema.parse(JSON.parse(body.toString()));
  // Before the deletion, so that a cancellation that fails is repeated with the same news.
  await Promise.all(cancelled.map((runId) => cancelHere(parts, directory, runId)));
  const confirmed = news.filter((_, index) => !early.includes(index));
  await store.crossings.forgetReturns(
    cluster,
    confirmed.map(({ id }) => id),
  );
  return confirmed.length;
}

/** Limits a batch by size. The first change always passes, or a large one would block the rest. */
function withinBytes(news: readonly Return[]): readonly Return[] {
  let bytes = 0;
  return news.filter(({ change }, index) => {
    bytes += change.reduce((sum, text) => sum + text.length, 0);
    return index === 0 || bytes <= NEWS_BYTES_MAX;
  });
}

async function cancelHere(
  { store, markLifeMs }: BridgeParts,
  directory: AgentDirectory,
  runId: string,
): Promise<void> {
  try {
    await store.runs.cancel({ runId, agents: directory.localAgents, by: "bridge", markLifeMs });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}
