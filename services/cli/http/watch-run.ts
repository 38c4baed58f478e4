import { z } from "zod";
import { sleep } from "#shared/clock";
import { openClient } from "./call-api.ts";
import type { Api, JsonOf } from "./call-api.ts";
import { persist } from "./persist.ts";
import { readEvents } from "./read-events.ts";

/** What happened in a run, as the gateway tells it. */
export type RunEvent = JsonOf<"revealRun">["events"][number];

const endSchema = z.object({ status: z.string().nullable() });

const STREAM_MS_MAX = 86_400_000;
const COME_BACK_MS = 500;

export interface Watch {
  readonly runId: string;
  readonly onEvent: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows a run to its end, also over a gateway that is started again meanwhile.
 *
 * @returns The status that it ended with; null where the gateway does not say.
 * @throws {NothingRunsError | RequestRefusedError}
 */
export async function watchRun(gateway: Api, watch: Watch): Promise<string | null> {
  let lastId: string | null = null;
  for (;;) {
    const request = {
      params: { path: { run_id: watch.runId } },
      headers: lastId === null ? {} : { "last-event-id": lastId },
      parseAs: "stream",
      signal: watch.signal,
    } as const;
    const client = openClient(gateway, STREAM_MS_MAX);
    const { response: reply } = await persist(
      () => client.GET("/v1/runs/{run_id}/events", request),
      watch.signal,
    );
    if (reply.status === 204 || reply.body === null) return null;
    const told = await tell(reply.body, watch);
    if (told.end !== undefined) return told.end;
    lastId = told.lastId ?? lastId;
    await sleep(COME_BACK_MS, watch.signal);
  }
}

interface Told {
  readonly lastId: string | null;
  /** The status that the run ended with; undefined where the stream broke off before. */
  readonly end?: string | null;
}

async function tell(body: AsyncIterable<Uint8Array>, { onEvent, signal }: Watch): Promise<Told> {
  let lastId: string | null = null;
  try {
    for await (const { id, event, data } of readEvents(body)) {
      if (event === "end") return { lastId, end: endSchema.parse(JSON.parse(data)).status };
      // The stream's events are those of the log.
      onEvent(JSON.parse(data) as RunEvent);
      lastId = id ?? lastId;
    }
  } catch (error) {
    // A broken connection is a TypeError of fetch; the stream goes on where it was left.
    if (signal.aborted || !(error instanceof TypeError)) throw error;
  }
  return { lastId };
}
