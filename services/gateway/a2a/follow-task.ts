import type { StreamResponse } from "@a2a-js/sdk";
import { now, timestamp } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import { ENDED_STATUSES } from "#shared/store/runs";
import { readTask } from "../runs/read-task.ts";
import { watchChanges } from "../runs/watch-changes.ts";
import { eventsPage, findRun } from "../tenancy/see-run.ts";
import type { TeamCall } from "./team-call.ts";
import { viewArtifacts, viewMetadata, viewProgress, viewStatus, viewTask } from "./view-task.ts";
import { takeWaitingPlace } from "../guards/take-place.ts";

/**
 * Yields a task as it is now, then an update for each event of its run, its result, and its last status. Ends early
 * when the client is gone, its key is revoked, or after `streamMsMax`; the client subscribes again then.
 */
export async function* followTask(
  call: TeamCall,
  runId: string,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { gateway, caller, signal, mayStill } = call;
  const leave = takeWaitingPlace(gateway, caller);
  const bell = watchChanges(gateway, runId);
  const untilMs = now() + gateway.bounds.streamMsMax;
  try {
    const seen = await readTask(gateway, caller, runId);
    const task = viewTask(seen, gateway.a2aKeys);
    yield { payload: { $case: "task", value: task } };
    if (ENDED_STATUSES.includes(seen.record.status)) return;
    let position = seen.events.length;
    while (!signal.aborted && mayStill() && now() < untilMs) {
      // Read before the events: of a run that has ended every event is there.
      const record = await findRun(gateway, caller, runId);
      const events = await eventsPage(gateway, caller, {
        run: record,
        from: position,
        limit: gateway.bounds.eventsPage,
      });
      position += events.length;
      for (const event of events.filter(({ type }) => type !== "ended"))
        yield update(task, { status: viewProgress(record, event), metadata: viewMetadata(record) });
      if (events.length > 0) continue;
      if (ENDED_STATUSES.includes(record.status))
        return yield* lastUpdates(task, { ...seen, record }, gateway.a2aKeys);
      await bell.wait(gateway.bounds.recheckEveryMs, signal);
    }
  } finally {
    bell.stop();
    leave();
  }
}

type Ids = { readonly id: string; readonly contextId: string };

function update(
  { id, contextId }: Ids,
  fields: { readonly status: ReturnType<typeof viewStatus>; readonly metadata: object },
): StreamResponse {
  return { payload: { $case: "statusUpdate", value: { taskId: id, contextId, ...fields } } };
}

function* lastUpdates(
  task: Ids,
  seen: Parameters<typeof viewArtifacts>[0],
  keys: Keyring | null,
): Generator<StreamResponse> {
  const { record } = seen;
  for (const artifact of viewArtifacts(seen, keys)) {
    const value = {
      taskId: task.id,
      contextId: task.contextId,
      artifact,
      append: false,
      lastChunk: true,
      metadata: undefined,
    };
    yield { payload: { $case: "artifactUpdate", value } };
  }
  const at = timestamp(record.ended_ms ?? record.created_ms);
  yield update(task, { status: viewStatus(record, at), metadata: viewMetadata(record) });
}
