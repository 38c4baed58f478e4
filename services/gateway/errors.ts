import { defineRefusal } from "#shared/http";

/** The key or its tenant has its share of the requests that wait. */
export class TooManyWaitersError extends defineRefusal({
  code: "TOO_MANY_WAITERS",
  status: 429,
  message: "Too many requests of this key or its tenant are waiting for runs.",
  remedy: "End other event streams and long polls, or ask without waiting.",
  retryAfterMs: 5000,
}) {}

/** Too much waits already; more would only wait longer. */
export class FullError extends defineRefusal((where: "queues" | "ward") => ({
  code: where === "ward" ? "WARD_FULL" : "QUEUES_FULL",
  status: 429,
  message: `The ${where === "ward" ? "ward is" : "queues are"} full; the task was not accepted.`,
  remedy: "Repeat later with the same Idempotency-Key.",
  retryAfterMs: 10_000,
})) {}

/** A key or its tenant has as much as it may. */
export class QuotaExceededError extends defineRefusal(
  ({
    whose,
    quota,
    over,
    retryAfterMs,
  }: {
    readonly whose: "key" | "tenant";
    /** The quota's name, as keys are made with it, or `tenant_share`. */
    readonly quota: string;
    /** The limit, in words. */
    readonly over: string;
    readonly retryAfterMs: number;
  }) => ({
    code: "QUOTA_EXCEEDED",
    status: 429,
    message: `The ${whose} has what it may have: ${over} (${quota}).`,
    remedy: "Repeat later with the same Idempotency-Key, or have an admin raise the quota.",
    retryAfterMs,
    issues: [{ path: "", code: quota, message: `at most ${over}` }],
  }),
) {}

/** A person has closed the gateways: for an upgrade, or while a restore is reconciled. */
export class IntakeClosedError extends defineRefusal({
  code: "INTAKE_CLOSED",
  status: 503,
  message: "New tasks are not taken just now; nothing was changed.",
  remedy: "Repeat later with the same Idempotency-Key.",
  retryAfterMs: 15_000,
}) {}

/** Redis holds as much as it may; what works on needs the rest. */
export class StoreFullError extends defineRefusal({
  code: "STORE_FULL",
  status: 503,
  message: "The store's memory is full; the task was not accepted.",
  remedy: "Repeat later with the same Idempotency-Key; give Redis more memory if it does not pass.",
  retryAfterMs: 10_000,
}) {}

/** Redis did not answer in time: the task may have been accepted or not. */
export class AcceptanceUnknownError extends defineRefusal({
  code: "ACCEPTANCE_UNKNOWN",
  status: 503,
  message: "It is unknown whether the task was accepted.",
  remedy: "Repeat with the same Idempotency-Key: that accepts the task once, whatever happened now.",
  retryAfterMs: 2000,
}) {}

/** Redis refused the task, because a key of its queue (`damage`) is not what the engine needs. */
export class QueueDamagedError extends defineRefusal((damage: string) => ({
  code: "QUEUE_DAMAGED",
  status: 503,
  message: `The task's queue cannot be used: ${damage}.`,
  remedy:
    "Have an operator mend or remove the key, then repeat with the same Idempotency-Key: that accepts the task once.",
  retryAfterMs: 10_000,
})) {}

/** The task is written, and too few replicas of Redis have said so: a failover could still lose it. */
export class AcceptanceUnconfirmedError extends defineRefusal({
  code: "ACCEPTANCE_UNCONFIRMED",
  status: 503,
  message: "Too few replicas have the task; it is unknown whether it will outlive a failover.",
  remedy: "Repeat with the same Idempotency-Key: that accepts the task once, whatever happens now.",
  retryAfterMs: 2000,
}) {}

/** Redis is away; nothing was asked of it. */
export class UnavailableError extends defineRefusal({
  code: "UNAVAILABLE",
  status: 503,
  message: "The store is out of reach or this gateway is stopping; nothing was changed.",
  remedy: "Repeat later with the same Idempotency-Key.",
  retryAfterMs: 2000,
}) {}

/** The same client has used the key for a request with another body, which started `runId`. */
export class IdempotencyConflictError extends defineRefusal((runId: string) => ({
  code: "IDEMPOTENCY_CONFLICT",
  status: 422,
  message: `This Idempotency-Key was used for another request, which started run ${runId}.`,
  remedy: "Use a new key for a new request; repeat a request with exactly the same body.",
  issues: [
    {
      path: "/headers/idempotency-key",
      code: "used",
      message: `used for the request that started run ${runId}`,
    },
  ],
})) {}

/** A recorded message cannot be shown to be what its receiver verified, so it is not signed again. */
export class NotVerifiableError extends defineRefusal({
  code: "MESSAGE_NOT_VERIFIABLE",
  status: 409,
  message: "The recorded message cannot be verified any more, or never was.",
  remedy: "Replay the run's first message, or send the payload anew.",
}) {}

/** Statuses of the store's errors. */
export const STATUS_BY_CODE = { NOT_FOUND: 404 } as const;
