import type { Envelope } from "#shared/envelope";
import { AbsentError } from "#shared/http";
import { isRecord } from "#shared/json";
import { NotFoundError } from "#shared/store";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import { NotVerifiableError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { eventsOf, findRun, maskFor } from "../tenancy/see-run.ts";
import { readRecorded } from "../runs/read-recorded.ts";
import { listArtifacts } from "./list-artifacts.ts";
import type { FoundArtifact } from "./list-artifacts.ts";
import type { Task } from "#shared/api";

/** A run as the protocol sees it. */
export interface ReadTask {
  readonly record: RunRecord;
  readonly events: readonly RunEvent[];
  readonly artifacts: readonly FoundArtifact[];
  readonly task: Task;
  /** What the first message's envelope says of itself; null where it is not kept any more. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}

/**
 * Reads a task from its run and its first message, as the caller may see them; the protocol keeps nothing of its own.
 *
 * @throws {NotFoundError}
 */
export async function readTask(gateway: Gateway, caller: Caller, taskId: string): Promise<ReadTask> {
  return readTaskOf(gateway, caller, await findRun(gateway, caller, taskId));
}

/** @param run - One that the caller may see, as it is stored or as they see it. */
export async function readTaskOf(gateway: Gateway, caller: Caller, run: RunRecord): Promise<ReadTask> {
  const mask = maskFor(gateway, caller, run);
  const record = mask.record(run);
  const events = await eventsOf(gateway, caller, run);
  const first = await readFirst(gateway, events[0]);
  const payload = first === null ? undefined : mask.payload(first.data_payload, first.meta.contract);
  const artifacts = listArtifacts({ record, events, input: payload });
  return {
    record,
    events,
    artifacts,
    meta: first?.meta ?? null,
    task: {
      input: first === null ? null : mask.text(first.user_context.original_query),
      additional_input: { ...(isRecord(payload) ? payload : {}), team: record.team },
      task_id: record.run_id,
      artifacts: artifacts.map(({ artifact }) => artifact),
    },
  };
}

/** The message that the run began with; null where it is not kept any more, or is of a key that is not. */
async function readFirst(gateway: Gateway, submitted: RunEvent | undefined): Promise<Envelope | null> {
  const { message_id = null, agent = null } = submitted ?? {};
  if (message_id === null || agent === null) return null;
  try {
    return await readRecorded(gateway, { message_id, agent });
  } catch (error) {
    if (error instanceof AbsentError || error instanceof NotVerifiableError) return null;
    throw error;
  }
}

/** One artifact of a task with its content's place. @throws {NotFoundError | AbsentError} */
export async function findArtifact(
  gateway: Gateway,
  wanted: { readonly caller: Caller; readonly taskId: string; readonly artifactId: string },
): Promise<{ readonly found: FoundArtifact; readonly record: RunRecord }> {
  const { artifacts, record } = await readTask(gateway, wanted.caller, wanted.taskId);
  const found = artifacts.find(({ artifact }) => artifact.artifact_id === wanted.artifactId);
  if (found === undefined) throw new AbsentError("artifact of this task");
  return { found, record };
}

/** The task that an artifact's id names. @throws {NotFoundError} It names none. */
export function taskOfArtifact(artifactId: string): string {
  const [taskId = ""] = artifactId.split(".", 1);
  if (taskId === artifactId) throw new NotFoundError("artifact", artifactId);
  return taskId;
}
