import { Message, TaskState } from "@a2a-js/sdk";
import type { Artifact, Part, StreamResponse, Task, TaskStatus } from "@a2a-js/sdk";
import { RUN_EXTENSION, sealPart } from "#shared/a2a";
import { timestamp } from "#shared/clock";
import { agentNameOf } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import { isRecord } from "#shared/json";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunRecord, RunStatus } from "#shared/store/runs";
import { takeWaitingPlace } from "../guards/guard-requests.ts";
import { followRun } from "../runs/follow-run.ts";
import { readTask } from "../runs/read-task.ts";
import type { ReadTask } from "../runs/read-task.ts";
import type { TeamCall } from "./team-call.ts";

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

/** No status is INPUT_REQUIRED: people decide over a quarantined message, its client cannot. */
const STATES: Readonly<Record<RunStatus, TaskState>> = {
  queued: TaskState.TASK_STATE_SUBMITTED,
  running: TaskState.TASK_STATE_WORKING,
  in_ward: TaskState.TASK_STATE_WORKING,
  quarantined: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  expired: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
};

const WAITING_FOR: Readonly<Partial<Record<RunStatus, string>>> = {
  in_ward: "surgeon",
  quarantined: "person",
};

/** Statuses of runs that are shown as a state; all of them for TASK_STATE_UNSPECIFIED. */
export function statusesOf(state: TaskState): readonly RunStatus[] {
  // The keys of the table are exactly the statuses.
  const statuses = Object.keys(STATES) as RunStatus[];
  if (state === TaskState.TASK_STATE_UNSPECIFIED) return statuses;
  return statuses.filter((status) => STATES[status] === state);
}

/** Returns a run as a task, with the message that it began with and its result. */
export function viewTask({ record, events, payload, meta }: ReadTask, keys: Keyring | null): Task {
  const contextId = contextOf(record, meta);
  return {
    id: record.run_id,
    contextId,
    status: viewStatus(record, events.at(-1)?.at ?? timestamp(record.created_ms)),
    artifacts: viewArtifacts({ record, meta }, keys),
    history: meta === null ? [] : [viewFirst({ record, payload, meta }, contextId)],
    metadata: viewMetadata(record),
  };
}

/** The context that the client gave, or the run itself. */
function contextOf({ run_id }: RunRecord, meta: ReadTask["meta"]): string {
  const context = meta?.["a2a_context"];
  return typeof context === "string" ? context : run_id;
}

function viewStatus(record: RunRecord, at: string): TaskStatus {
  const text = messageOf(record);
  return {
    state: STATES[record.status],
    timestamp: at,
    message: text === null ? undefined : say(record.run_id, text),
  };
}

/** Describes what happened in a run that has not ended. */
function viewProgress({ run_id, status }: RunRecord, { agent, type, at }: RunEvent): TaskStatus {
  const text = [type.replaceAll("_", " "), ...(agent === null ? [] : [agent])].join(": ");
  const state = ENDED_STATUSES.includes(status) ? TaskState.TASK_STATE_WORKING : STATES[status];
  return { state, timestamp: at, message: say(run_id, text) };
}

/** The run's own words for its end; null where the state says everything. */
function messageOf({ status, error }: RunRecord): string | null {
  if (status === "quarantined") return "A person has to decide before it goes on.";
  if (status !== "failed" && status !== "expired") return null;
  const told = isRecord(error) && typeof error["message"] === "string" ? error["message"] : null;
  return told === null ? status : `${status}: ${told}`;
}

/** Returns the result of a completed run as an artifact: sealed where the message was, and there is a key. */
function viewArtifacts(
  { record, meta }: Pick<ReadTask, "record" | "meta">,
  keys: Keyring | null,
): Artifact[] {
  const { run_id, status, result } = record;
  if (status !== "completed") return [];
  return [
    {
      artifactId: `${run_id}.result`,
      name: "result",
      description: "",
      parts: [sealedResult({ record, meta }, keys) ?? dataPart(result)],
      metadata: undefined,
      extensions: [],
    },
  ];
}

function sealedResult(
  { record, meta }: Pick<ReadTask, "record" | "meta">,
  keys: Keyring | null,
): Part | null {
  const [to]: unknown[] = Array.isArray(meta?.["a2a_sealed"]) ? meta["a2a_sealed"] : [];
  const traceparent = meta?.["traceparent"];
  if (typeof to !== "string" || typeof traceparent !== "string") return null;
  if (keys?.canSign(record.team, agentNameOf(to)) !== true) return null;
  const from = `${record.team}@1`;
  const crossing = { keys, from, to, id: record.run_id, contract: "a2a.result@1", traceparent };
  return sealPart(record.result, crossing);
}

function viewMetadata({ status, team, trace_id, cost, tokens, error }: RunRecord): {
  [RUN_EXTENSION]: object;
} {
  return {
    [RUN_EXTENSION]: {
      status,
      team,
      trace_id,
      waiting_for: WAITING_FOR[status] ?? null,
      billing: { cost_so_far: cost, tokens_consumed: tokens, currency: "USD" },
      ...(isRecord(error) ? { error } : {}),
    },
  };
}

/** The client's first message as the run recorded it; what is personal is masked where the caller may not see it. */
function viewFirst(
  { record, payload, meta }: Pick<ReadTask, "record" | "payload" | "meta">,
  contextId: string,
): Message {
  const id = meta?.["a2a_message"];
  const messageId = typeof id === "string" ? id : `${record.run_id}.input`;
  const message = Message.fromJSON({ messageId, contextId, taskId: record.run_id, role: "ROLE_USER" });
  return { ...message, parts: [dataPart(payload)] };
}

export function say(runId: string, text: string): Message {
  return Message.fromJSON({
    messageId: `${runId}.status`,
    taskId: runId,
    role: "ROLE_AGENT",
    parts: [{ text, mediaType: "text/plain" }],
  });
}

function dataPart(value: unknown): Part {
  return {
    content: { $case: "data", value },
    metadata: undefined,
    filename: "",
    mediaType: "application/json",
  };
}
