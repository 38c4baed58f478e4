import { readVerified } from "#shared/api";
import type { MessagePlace } from "#shared/api";
import type { Envelope } from "#shared/envelope";
import { open } from "#shared/envelope/seals";
import { AbsentError } from "#shared/http";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import { NotVerifiableError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { eventsOf, findRun, maskFor } from "../tenancy/see-run.ts";

/** A run with its first message, as its caller may see them. */
export interface ReadTask {
  readonly record: RunRecord;
  readonly events: readonly RunEvent[];
  /** First payload of the run; undefined where it is not kept any more. */
  readonly payload: unknown;
  /** The client's text; null where it is not kept any more. */
  readonly query: string | null;
  /** `meta` of the first message's envelope; null where it is not kept any more. */
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
  const { run_id = "", message_id = null, agent = null } = submitted ?? {};
  if (message_id === null || agent === null) return null;
  try {
    return await readRecorded(gateway, run_id, { message_id, agent });
  } catch (error) {
    if (error instanceof AbsentError || error instanceof NotVerifiableError) return null;
    throw error;
  }
}

/** One message of a run; by default its first. @throws {AbsentError} */
export async function findRecorded(
  gateway: Gateway,
  runId: string,
  messageId?: string,
): Promise<MessagePlace> {
  const { runs } = gateway.store;
  const wanted = messageId ?? (await runs.events(runId, { from: 0, limit: 1 }))[0]?.message_id;
  const found = (await runs.messages(runId)).find((message) => message.message_id === wanted);
  if (found === undefined) throw new AbsentError("message in this run", "The run's hops name its messages.");
  return found;
}

/**
 * Reads a recorded message for a replay, which the gateway signs: its bytes are of its own seal, or of the seal that
 * the receiver verified. @throws {AbsentError} It is not kept. {NotVerifiableError} Nobody vouches for it.
 */
export async function readRecorded(
  gateway: Gateway,
  runId: string,
  message: MessagePlace,
): Promise<Envelope> {
  const { queues, ledger } = gateway.store.ofRun(runId);
  const job = await queues.of(message.agent, "fresh").getJob(message.message_id);
  if (job === undefined) throw new AbsentError("recorded message", "It is kept for the retention time only.");
  const data: unknown = job.data;
  const own = openOwn(gateway, message, data);
  if (own !== null) return own;
  const digest = await ledger.digestOf(message.agent, message.message_id);
  const verified = readVerified(data, { messageId: message.message_id, digest });
  if (verified.kind !== "read") throw new NotVerifiableError();
  return verified.envelope;
}

function openOwn(gateway: Gateway, message: MessagePlace, data: unknown): Envelope | null {
  try {
    const { agent, message_id } = message;
    return open({ message: data, queue: agent, jobId: message_id, keyring: gateway.keyring }).envelope;
  } catch {
    // Sealed on an edge whose key the gateway rightly does not have, or not genuine: the ledger tells.
    return null;
  }
}
