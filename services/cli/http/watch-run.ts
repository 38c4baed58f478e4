import { z } from "zod";
import { sleep } from "#shared/clock";
import { openApi } from "./call-api.ts";
import type { Api, ApiRequest } from "./call-api.ts";
import { persist } from "./persist.ts";
import { readEvents } from "./read-events.ts";

const runEventSchema = z.object({
  type: z.string(),
  at: z.string(),
  message_id: z.string().nullable().default(null),
  agent: z.string().nullable().default(null),
  detail: z.record(z.string(), z.unknown()).default({}),
});

/** What happened in a run, as the gateway tells it. */
export type RunEvent = z.output<typeof runEventSchema>;

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
    const request: ApiRequest = {
      path: `/v1/runs/${encodeURIComponent(watch.runId)}/events`,
      headers: lastId === null ? {} : { "last-event-id": lastId },
      timeoutMs: STREAM_MS_MAX,
      signal: watch.signal,
    };
    const reply = await persist(() => openApi(gateway, request), watch.signal);
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
      onEvent(runEventSchema.parse(JSON.parse(data)));
      lastId = id ?? lastId;
    }
  } catch (error) {
    // A broken connection is a TypeError of fetch; the stream goes on where it was left.
    if (signal.aborted || !(error instanceof TypeError)) throw error;
  }
  return { lastId };
}
