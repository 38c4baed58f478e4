import { createHash } from "node:crypto";
import { open, openBytes } from "#shared/envelope/seals";
import { findAwaitingRun } from "#shared/store/upkeep";
import type { Delivery } from "../deliver/delivery.ts";
import { MessageGoneError } from "../errors.ts";
import { messageIdOf } from "../deliver/message-id.ts";
import { isGone, recoverData } from "../process/recover-data.ts";
import { fail } from "./fail.ts";

/**
 * Verifies the seal over the stored bytes, then parses the envelope. An unverified message is not read further. A job
 * whose data was deleted uses the bytes of the delivery before, if they are kept.
 */
export function openSeal(delivery: Delivery): Delivery | Promise<Delivery> {
  return isGone(delivery.job) ? recover(delivery) : openStored(delivery);
}

async function recover(delivery: Delivery): Promise<Delivery> {
  const { place, job, hold } = delivery;
  const known = { message_id: hold.messageId, job_id: job.jobId };
  const recovered = await recoverData(place.store, hold);
  if (recovered === null) {
    place.logger.error(known, "the data of a job was deleted: its message is in quarantine");
    return refuse(delivery, new MessageGoneError(hold.messageId));
  }
  place.logger.warn(known, "the data of a job was deleted: it is taken from the delivery before");
  return openStored({ ...delivery, job: { ...job, data: recovered.data }, attempt: recovered.attempt + 1 });
}

function openStored(delivery: Delivery): Delivery | Promise<Delivery> {
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
      message: { envelope, bytes, digest },
      hold: { ...delivery.hold, runId: envelope.meta.run_id, digest },
    };
  } catch (error) {
    return refuse(delivery, error);
  }
}

async function refuse(delivery: Delivery, error: unknown): Promise<Delivery> {
  const runId = await findRun(delivery);
  const digest = createHash("sha256").update(textOf(delivery)).digest("hex");
  const known = { ...delivery, hold: { ...delivery.hold, runId, digest } };
  return fail(known, error, { direction: "in", contract: null });
}

/**
 * Returns the text that identifies an unread message: its sealed text if that is genuine, as with a newer version, so
 * that a newer worker recognises it later; else its whole stored form.
 */
function textOf({ place, job }: Delivery): string {
  try {
    const jobId = messageIdOf(job.jobId);
    return openBytes({ message: job.data, queue: place.agent.name, jobId, keyring: place.keyring }).bytes;
  } catch {
    return JSON.stringify(job.data);
  }
}

const RUN_ID = /"run_id":"([0-9a-f-]{36})"/;

/**
 * Finds the run that waits for this message. The id in an unverified message is only a hint: it counts if the run's
 * own record has this message open at this agent.
 */
async function findRun(delivery: Delivery): Promise<string> {
  const { place, job, hold } = delivery;
  const sealed = job.data["sealed"];
  const hint = typeof sealed === "string" ? RUN_ID.exec(sealed)?.[1] : undefined;
  if (hint === undefined)
    return (await findAwaitingRun(place.store, { messageId: hold.messageId, agent: place.agent.name })) ?? "";
  const found = await place.store.runs.findMessage(hint, hold.messageId);
  return found?.agent === place.agent.name && found.state === "open" ? hint : "";
}
