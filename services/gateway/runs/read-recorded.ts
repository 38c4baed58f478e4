import { readVerified } from "#shared/api";
import { open } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import { AbsentError } from "#shared/http";
import type { Gateway } from "../gateway.ts";
import { NotVerifiableError } from "../errors.ts";

/** A message of a run and the agent it went to. */
export interface RecordedMessage {
  readonly message_id: string;
  readonly agent: string;
}

/** One message of a run; by default its first. @throws {AbsentError} */
export async function findRecorded(
  gateway: Gateway,
  runId: string,
  messageId?: string,
): Promise<RecordedMessage> {
  const { runs } = gateway.store;
  const wanted = messageId ?? (await runs.events(runId, { from: 0, limit: 1 }))[0]?.message_id;
  const found = (await runs.messages(runId)).find((message) => message.message_id === wanted);
  if (found === undefined) throw new AbsentError("message in this run", "The run's hops name its messages.");
  return found;
}

/**
 * Reads a recorded message for a replay. The gateway signs what it replays, so it must know that the bytes are genuine:
 * they were sealed by itself, or they are the ones whose seal their receiver verified and wrote into its ledger.
 *
 * @throws {AbsentError} It is not kept any more. {NotVerifiableError} Nobody vouches for it.
 */
export async function readRecorded(gateway: Gateway, message: RecordedMessage): Promise<Envelope> {
  const job = await gateway.store.queues.of(message.agent, "fresh").getJob(message.message_id);
  if (job === undefined) throw new AbsentError("recorded message", "It is kept for the retention time only.");
  const data: unknown = job.data;
  const own = openOwn(gateway, message, data);
  if (own !== null) return own;
  const digest = await gateway.store.ledger.digestOf(message.agent, message.message_id);
  const verified = readVerified(data, { messageId: message.message_id, digest });
  if (verified.kind !== "read") throw new NotVerifiableError();
  return verified.envelope;
}

function openOwn(gateway: Gateway, message: RecordedMessage, data: unknown): Envelope | null {
  try {
    const { agent, message_id } = message;
    return open({ message: data, queue: agent, jobId: message_id, keyring: gateway.keyring }).envelope;
  } catch {
    // Sealed on an edge whose key the gateway rightly does not have, or not genuine: the ledger tells.
    return null;
  }
}
