import { open } from "#shared/envelope";
import { findAwaitingRun } from "#shared/store";
import type { Delivery } from "../delivery.ts";
import { messageIdOf } from "../message-id.ts";
import { fail } from "./fail.ts";

/** Verifies the seal over the stored bytes, then reads the envelope. What does not verify is never read further. */
export async function openSeal(delivery: Delivery): Promise<Delivery> {
  const { place, job } = delivery;
  try {
    const { envelope, bytes, digest } = open({
      message: job.data,
      queue: place.agent.name,
      jobId: messageIdOf(job.jobId),
      keyring: place.keyring,
    });
    return {
      ...delivery,
      letter: { envelope, bytes, digest },
      hold: { ...delivery.hold, runId: envelope.meta.run_id, digest },
    };
  } catch (error) {
    const runId = await findRun(delivery);
    const known = { ...delivery, hold: { ...delivery.hold, runId } };
    return fail(known, error, { direction: "in", contract: null });
  }
}

const RUN_ID = /"run_id":"([0-9a-f-]{36})"/;

/**
 * The run that waits for this message, so that it can be told. What an unverified message says of itself is only a
 * hint: it counts if the run's own record has this very message open at this very agent.
 */
async function findRun(delivery: Delivery): Promise<string> {
  const { place, job, hold } = delivery;
  const sealed = job.data["sealed"];
  const hint = typeof sealed === "string" ? RUN_ID.exec(sealed)?.[1] : undefined;
  if (hint === undefined) {
    const awaiting = { messageId: hold.messageId, agent: place.agent.name };
    return (await findAwaitingRun(place.store, awaiting)) ?? "";
  }
  const messages = await place.store.runs.messages(hint);
  const isAwaited = messages.some(
    (message) =>
      message.message_id === hold.messageId && message.agent === place.agent.name && message.state === "open",
  );
  return isAwaited ? hint : "";
}
