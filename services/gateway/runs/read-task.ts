import type { Envelope } from "#shared/envelope";
import { AbsentError } from "#shared/http";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import { NotVerifiableError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { eventsOf, findRun, maskFor } from "../tenancy/see-run.ts";
import { readRecorded } from "./read-recorded.ts";

/** A run with its first message, as its caller may see them. */
export interface ReadTask {
  readonly record: RunRecord;
  readonly events: readonly RunEvent[];
  /** What the run began with; undefined where it is not kept any more. */
  readonly payload: unknown;
  /** The client's text; null where it is not kept any more. */
  readonly query: string | null;
  /** What the first message's envelope says of itself; null where it is not kept any more. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}

/** Reads a run with its first message, for protocols that keep nothing of their own. @throws {NotFoundError} */
export async function readTask(gateway: Gateway, caller: Caller, taskId: string): Promise<ReadTask> {
  return readTaskOf(gateway, caller, await findRun(gateway, caller, taskId));
}

/** @param run - One that the caller may see, as it is stored or as they see it. */
export async function readTaskOf(gateway: Gateway, caller: Caller, run: RunRecord): Promise<ReadTask> {
  const mask = maskFor(gateway, caller, run);
  const events = await eventsOf(gateway, caller, run);
  const first = await readFirst(gateway, events[0]);
  return {
    record: mask.record(run),
    events,
    payload: first === null ? undefined : mask.payload(first.data_payload, first.meta.contract),
    query: first === null ? null : mask.text(first.user_context.original_query),
    meta: first?.meta ?? null,
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
