import {
  endOfStream,
  GATEWAY_API,
  listRunSteps as describeSteps,
  showRunStep as describeStep,
} from "#shared/api";
import { listRuns as readRunsPage, summarise, viewRun } from "#shared/api/run-views";
import { sourceOfRun, toCloudEvent, UnauthorisedError } from "#shared/http";
import { streamEvents } from "#shared/http/server";
import { NotFoundError } from "#shared/store";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { ListedRun, RunEvent, RunStatus } from "#shared/store/runs";
import type { Gateway, Handler } from "../gateway.ts";
import { takeWaitingPlace } from "../guards/guard-requests.ts";
import { followRun, waitForEnd } from "../runs/follow-run.ts";
import { endRun } from "../runs/start-run.ts";
import { maySee, tenantSeen } from "../tenancy/may-see.ts";
import { eventsOf, eventsPage, findRun, seenRun } from "../tenancy/see-run.ts";

export const listRuns: Handler<"listRuns"> = async ({ gateway, query, caller }) => {
  const who = { tenant: tenantSeen(caller), sees: (run: ListedRun) => maySee(caller, run) };
  const { runs, next_cursor } = await readRunsPage(gateway.store, { ...query, ...who });
  return { runs: runs.map(summarise), next_cursor };
};

export const showRun: Handler<"showRun"> = async (call) => {
  const { gateway, params, query, caller } = call;
  let run = await findRun(gateway, caller, params.run_id);
  if (query.wait > 0 && !ENDED_STATUSES.includes(run.status)) {
    await waitForEnd(call, run.run_id, query.wait * 1000);
    if (!call.mayStill()) throw new UnauthorisedError();
    run = await findRun(gateway, caller, run.run_id);
  }
  return viewRun(run, await eventsOf(gateway, caller, run), { hasEvents: query.include === "events" });
};

/** Shows one step of a run with its values uncut. */
export const showRunStep: Handler<"showRunStep"> = async ({ gateway, params, caller }) =>
  describeStep(await seenRun(gateway, caller, params.run_id), params.step_id);

/** Shows what passed between the steps of a run. */
export const listRunSteps: Handler<"listRunSteps"> = async ({ gateway, params, query, caller }) =>
  describeSteps(await seenRun(gateway, caller, params.run_id), query);

/** Asks for a run's end. One that has ended already is answered as it is. */
export const cancelRun: Handler<"cancelRun"> = async ({ gateway, params, caller }) =>
  summarise(await endRun(gateway, caller, params.run_id));

const EACH = GATEWAY_API.streamRunEvents.each;

type Call = Parameters<Handler<"streamRunEvents">>[0];

/**
 * Server-sent events of a run, from the first or from the one after `Last-Event-ID`. Ends when the key is revoked or
 * expires, and after the run's end with an event `end`; a client that comes back then gets 204, which tells it to stop.
 */
export const streamRunEvents: Handler<"streamRunEvents"> = async (call) => {
  const { gateway, params, request, reply, caller } = call;
  const run = await findRun(gateway, caller, params.run_id);
  const lastId = lastEventIdOf(request.headers["last-event-id"]);
  const from = lastId === null ? 0 : lastId + 1;
  if (lastId !== null && ENDED_STATUSES.includes(run.status)) {
    const rest = await eventsPage(gateway, caller, { run, from, limit: 1 });
    if (rest.length === 0) return reply.code(204).send();
  }
  return streamEvents(reply, gateway.bounds.heartbeatEveryMs, { events: write(call, from) });
};

async function* write(call: Call, from: number): AsyncGenerator<string, void> {
  const { gateway, query, mayStill } = call;
  const { run_id: runId } = call.params;
  const leave = takeWaitingPlace(gateway, call.caller);
  try {
    yield ": suture\n\n";
    const follow = { runId, from, forMs: gateway.bounds.streamMsMax };
    const ended = yield* followRun(call, follow, (event, _run, position) =>
      writeEvent(checked(gateway, event), position, query.format),
    );
    if (ended !== null && mayStill()) yield writeEnd(runId, ended.status);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    yield writeEnd(runId, null);
  } finally {
    leave();
  }
}

function writeEnd(runId: string, status: RunStatus | null): string {
  return `event: end\ndata: ${JSON.stringify(endOfStream(runId, status))}\n\n`;
}

/** In test systems an event of another form than declared breaks the stream. */
function checked({ checksAnswers }: Gateway, event: RunEvent): RunEvent {
  if (checksAnswers === true) EACH.parse(event);
  return event;
}

/** JSON text has no line breaks, so one `data:` line is enough. */
function writeEvent(event: RunEvent, position: number, format: Call["query"]["format"]): string {
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
