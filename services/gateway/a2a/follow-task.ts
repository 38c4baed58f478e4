import type { StreamResponse } from "@a2a-js/sdk";
import { timestamp } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import { ENDED_STATUSES } from "#shared/store/runs";
import { followRun } from "../runs/follow-run.ts";
import { readTask } from "../runs/read-task.ts";
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
  const { gateway, caller } = call;
  const leave = takeWaitingPlace(gateway, caller);
  try {
    const seen = await readTask(gateway, caller, runId);
    const task = viewTask(seen, gateway.a2aKeys);
    yield { payload: { $case: "task", value: task } };
    if (ENDED_STATUSES.includes(seen.record.status)) return;
    const follow = { runId, from: seen.events.length, forMs: gateway.bounds.streamMsMax };
    const record = yield* followRun(call, follow, (event, run) =>
      update(task, { status: viewProgress(run, event), metadata: viewMetadata(run) }),
    );
    if (record !== null) yield* lastUpdates(task, { ...seen, record }, gateway.a2aKeys);
  } finally {
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
