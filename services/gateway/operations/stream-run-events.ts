import { Readable } from "node:stream";
import { endOfStream, GATEWAY_API } from "#shared/api";
import { now } from "#shared/clock";
import { sourceOfRun, toCloudEvent } from "#shared/http";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import type { Handler } from "../operation.ts";
import { watchChanges } from "../runs/watch-changes.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { eventsPage, findRun, statusOf } from "../tenancy/see-run.ts";
import { takeWaitingPlace } from "../guards/take-place.ts";

const EACH = GATEWAY_API.streamRunEvents.each;

/** One stream of a run's events: where it begins and what ends it. */
interface EventStream {
  readonly run: RunRecord;
  readonly caller: Caller;
  readonly format: "plain" | "cloudevents";
  /** Position of the first event to send. */
  readonly from: number;
  readonly signal: AbortSignal;
  readonly mayStill: () => boolean;
  readonly onEnd: () => void;
}

/**
 * Server-sent events of a run, from the first or from the one after `Last-Event-ID`. Ends when the key is revoked or
 * expires, and after the run's end with an event `end`; a client that comes back then gets 204, which tells it to stop.
 */
export const streamRunEvents: Handler<"streamRunEvents"> = async ({
  gateway,
  params,
  query,
  request,
  reply,
  caller,
  signal,
  mayStill,
}) => {
  const record = await findRun(gateway, caller, params.run_id);
  const lastId = lastEventIdOf(request.headers["last-event-id"]);
  const from = lastId === null ? 0 : lastId + 1;
  if (lastId !== null && ENDED_STATUSES.includes(record.status)) {
    const rest = await eventsPage(gateway, caller, { run: record, from, limit: 1 });
    if (rest.length === 0) return reply.code(204).send();
  }
  const onEnd = takeWaitingPlace(gateway, caller);
  const stream = { run: record, caller, from, format: query.format, signal, mayStill, onEnd };
  const events = Readable.from(write(gateway, stream), { objectMode: false });
  // A stream that is destroyed before it was ever read runs no line of its generator.
  events.once("close", onEnd);
  return reply
    .headers({ "cache-control": "no-store", "x-accel-buffering": "no" })
    .type("text/event-stream; charset=utf-8")
    .send(events);
};

/** Pulled by the socket: a slow client gets the next page when it has taken the last one. */
async function* write(gateway: Gateway, stream: EventStream): AsyncGenerator<string> {
  const { run, caller, from, signal, mayStill, onEnd } = stream;
  const { run_id: runId } = run;
  const { bounds } = gateway;
  const bell = watchChanges(gateway, runId);
  const untilMs = now() + bounds.streamMsMax;
  let position = from;
  let spokenMs = now();
  try {
    yield ": suture\n\n";
    while (!signal.aborted && mayStill() && now() < untilMs) {
      // Read before the events: once ended, everything that will ever be there is there.
      const status = await statusOf(gateway, runId);
      const page = await eventsPage(gateway, caller, { run, from: position, limit: bounds.eventsPage });
      if (page.length > 0) {
        yield page
          .map((event, index) => writeEvent(checked(gateway, event), position + index, stream.format))
          .join("");
        position += page.length;
        spokenMs = now();
        continue;
      }
      if (status === null || ENDED_STATUSES.includes(status)) {
        yield `event: end\ndata: ${JSON.stringify(endOfStream(runId, status))}\n\n`;
        return;
      }
      if (now() - spokenMs >= bounds.heartbeatEveryMs) {
        yield ": still here\n\n";
        spokenMs = now();
      }
      await bell.wait(Math.min(bounds.recheckEveryMs, bounds.heartbeatEveryMs), signal);
    }
  } finally {
    bell.stop();
    onEnd();
  }
}

/** In test systems an event of another form than declared breaks the stream. */
function checked({ checksAnswers }: Gateway, event: RunEvent): RunEvent {
  if (checksAnswers === true) EACH.parse(event);
  return event;
}

/** JSON text has no line breaks, so one `data:` line is enough. */
function writeEvent(event: RunEvent, position: number, format: EventStream["format"]): string {
  const data = format === "plain" ? event : asCloudEvent(event);
  return `id: ${position}\nevent: ${event.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function asCloudEvent(event: RunEvent): object {
  const { id, run_id: runId, type, at: time, message_id: subject } = event;
  return toCloudEvent({ id, source: sourceOfRun(runId), type: `run.${type}`, subject, time, data: event });
}

/** Null for none, and for one that we never sent: such a client starts anew. */
function lastEventIdOf(header: string | string[] | undefined): number | null {
  return typeof header === "string" && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
