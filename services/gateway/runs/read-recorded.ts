import { digestOf, open, unpackText } from "#shared/envelope/seals";
import { ENVELOPE_LIMITS_DEFAULT, readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { AbsentError } from "#shared/http";
import type { RecordedMessage } from "./recorded-message.ts";
import type { Gateway } from "../gateway.ts";
import { NotVerifiableError } from "../errors.ts";

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
  return openOwn(gateway, message, data) ?? (await openVouchedFor(gateway, message, data));
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

async function openVouchedFor(gateway: Gateway, message: RecordedMessage, data: unknown): Promise<Envelope> {
  const bytes = bytesOf(data);
  const verified = await gateway.store.ledger.digestOf(message.agent, message.message_id);
  const isVouchedFor = bytes !== null && verified !== null && verified === digestOf(bytes);
  if (!isVouchedFor) throw new NotVerifiableError();
  const envelope = readEnvelope(bytes);
  if (envelope.meta.message_id !== message.message_id) throw new NotVerifiableError();
  return envelope;
}

/** The exact text of the envelope; null where the job is not a sealed message. Unpacking is bounded. */
function bytesOf(data: unknown): string | null {
  if (typeof data !== "object" || data === null || !("sealed" in data) || typeof data.sealed !== "string")
    return null;
  const { sealed, encoding } = { encoding: undefined, ...data, sealed: data.sealed };
  try {
    return unpackText({ sealed, encoding }, ENVELOPE_LIMITS_DEFAULT.envelopeBytesMax);
  } catch {
    return null;
  }
}
