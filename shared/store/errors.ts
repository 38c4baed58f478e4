import { defineError } from "#shared/errors";

/** Redis did not answer in time. The command may or may not have been executed: retry with the same ids. */
export class StoreUnavailableError extends defineError((doing: string, cause?: unknown) => ({
  code: "STORE_UNAVAILABLE",
  failureClass: "transient",
  message: `Redis could not be reached while ${doing}.`,
  remedy: "Retry with the same idempotency key once Redis is back; nothing that was acknowledged is lost.",
  cause,
})) {}

/** The project's BullMQ cannot run agents. A ward beside queues works with it. */
export class BullmqTooOldError extends defineError((version: string) => ({
  code: "BULLMQ_TOO_OLD",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Agents run on BullMQ 6.7 or a later 6, and this project has ${version}.`,
  remedy:
    "Install bullmq@^6.7. A ward beside queues (suture/bullmq, suture ward) works with 5.80 and later as it is.",
})) {}

/** The Redis of an attached queue did not answer when the queue was opened. */
export class AttachedRedisAwayError extends defineError((withinMs: number, cause: Error | null) => ({
  code: "ATTACHED_REDIS_AWAY",
  failureClass: "transient",
  message: `The queue's Redis does not answer within ${withinMs / 1000} s${cause === null ? "" : `: ${cause.message}`}.`,
  remedy: "Check its address, and that it runs. Nothing was read or written.",
  cause: cause ?? undefined,
})) {}

/** The Redis of an attached queue refused a command: wrong password, missing right, key of another type. */
export class AttachedRedisRefusedError extends defineError((cause: unknown) => ({
  code: "ATTACHED_REDIS_REFUSED",
  failureClass: "handler_error",
  message: `The queue's Redis refuses this: ${cause instanceof Error ? cause.message.slice(0, 200) : String(cause)}.`,
  remedy:
    "Check user and password in its address, the rights of that user, and what the keys of the queue hold.",
  cause,
})) {}

/** This Redis would lose or evict data that must be kept. Start-up stops. */
export class StoreUnfitError extends defineError((problem: string, remedy: string) => ({
  code: "STORE_UNFIT",
  failureClass: "handler_error",
  severity: "fatal",
  message: `This Redis cannot be used: ${problem}.`,
  remedy,
})) {}

/** Too few replicas confirmed a write in time. It stands unless the master is lost before its replicas have it. */
export class NotReplicatedError extends defineError(
  (replicas: { readonly have: number; readonly needed: number }) => ({
    code: "NOT_REPLICATED",
    failureClass: "transient",
    message: `A write is on ${replicas.have} replicas, not on the ${replicas.needed} that are required.`,
    remedy:
      "Check the replicas of Redis (INFO replication). Nothing is published until enough of them have the write.",
  }),
) {}

/** The worker lost the job's lock (lease) and is a zombie: another has taken over, and its writes are refused. */
export class LockLostError extends defineError((messageId: string) => ({
  code: "LOCK_LOST",
  failureClass: "transient",
  message: `This worker no longer holds message ${messageId}; another one has taken over.`,
  remedy: "No action needed: the fence refused the stale write. If it happens often, raise SUTURE_LOCK_MS.",
})) {}

/** A consumer fetches nothing though jobs wait, and restarting it did not help. The process exits. */
export class ConsumerSilentError extends defineError((queue: string, restarts: number) => ({
  code: "CONSUMER_SILENT",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Jobs wait in ${queue} and none was fetched, even after ${restarts} restarts of the consumer.`,
  remedy: "Let the supervisor restart the process; if it recurs, check the network to Redis.",
})) {}

/** The record does not exist, or its retention is over. */
export class NotFoundError extends defineError((what: string, id: string) => ({
  code: "NOT_FOUND",
  failureClass: "validation_error",
  message: `There is no ${what} ${id.slice(0, 200)}, or its retention time is over.`,
  remedy: "Check the id, or list what there is.",
})) {}

/** A key of Redis that belongs to the platform holds data of another type: somebody else wrote there. */
export class KeyDamagedError extends defineError((cause: unknown) => ({
  code: "KEY_DAMAGED",
  failureClass: "transient",
  message: "A key that this outcome changes is not what it should be.",
  remedy:
    "Look at the damaged queues in `npx suture doctor` and `npx suture queues ls`, delete or mend the key, and release the case.",
  cause,
})) {}
