import { ENVELOPE_LIMITS_DEFAULT, readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { digestOf, unpackText } from "#shared/envelope/seals";
import { isRecord } from "#shared/json";
import { isRedisReply } from "#shared/store";
import type { Store } from "#shared/store";

/** A message of a run and the agent it went to. */
export interface MessagePlace {
  readonly message_id: string;
  readonly agent: string;
}

/** A recorded message as its receiver verified it, or why it cannot be shown. */
export type SealedReading =
  | { readonly kind: "read"; readonly envelope: Envelope }
  | { readonly kind: "gone" | "unverified" | "unreadable" };

/**
 * Reads a recorded message for display. Its text is shown only if it is the one whose seal its receiver verified and
 * wrote into its ledger: a process that shows messages has no keys to verify seals itself.
 */
export async function readSealed(
  { queues, ledger }: Store,
  { agent, message_id: messageId }: MessagePlace,
): Promise<SealedReading> {
  try {
    const job = await queues.of(agent, "fresh").getJob(messageId);
    if (job === undefined) return { kind: "gone" };
    return readVerified(job.data, { messageId, digest: await ledger.digestOf(agent, messageId) });
  } catch (error) {
    // Damaged data; anything else is a fault of the connection.
    if (error instanceof SyntaxError || isRedisReply(error)) return { kind: "unreadable" };
    throw error;
  }
}

/** Reads the data of a recorded job whose digest its receiver wrote into its ledger; null: it wrote none. */
export function readVerified(
  data: unknown,
  expected: { readonly messageId: string; readonly digest: string | null },
): SealedReading {
  if (!isRecord(data) || typeof data["sealed"] !== "string") return { kind: "unreadable" };
  const { sealed, encoding } = { encoding: undefined, ...data, sealed: data["sealed"] };
  try {
    const bytes = unpackText({ sealed, encoding }, ENVELOPE_LIMITS_DEFAULT.envelopeBytesMax);
    if (expected.digest !== digestOf(bytes)) return { kind: "unverified" };
    const envelope = readEnvelope(bytes);
    return envelope.meta.message_id === expected.messageId
      ? { kind: "read", envelope }
      : { kind: "unverified" };
  } catch {
    // Nothing here asks anybody: the bytes are at fault.
    return { kind: "unreadable" };
  }
}
