import { createHash } from "node:crypto";
import { isObject, jsonValueOf } from "#shared/schema";
import { losesNumbers } from "#shared/schema/edit";
import type { JsonValue } from "#shared/schema";
import type { KeptJob } from "#shared/store/attached";

/** What is used of a BullMQ job. */
export interface RemovableJob {
  readonly id?: string | undefined;
  readonly opts: {
    readonly attempts?: number | undefined;
    readonly removeOnFail?: boolean | number | { readonly count?: number } | undefined;
  };
  readonly attemptsMade: number;
  /** When it was added, in ms since the epoch. */
  readonly timestamp: number;
  /** How often it was given to another worker because its own had died or stood still. */
  readonly stalledCounter: number;
}

/** Errors by which a processor gives a job back unfinished: it has not failed. */
const GIVEN_BACK = new Set(["DelayedError", "RateLimitError", "WaitingChildrenError", "WaitingError"]);
const RATE_LIMITED = "bullmq:rateLimitExceeded";

/** Returns true if BullMQ removes the job when this error has ended its attempt. */
export function isRemovedAfter(error: unknown, job: RemovableJob, byWorker: boolean): boolean {
  const { removeOnFail = byWorker, attempts = 1 } = job.opts;
  const count = typeof removeOnFail === "object" ? removeOnFail.count : removeOnFail;
  if (count !== true && count !== 0) return false;
  const isError = error instanceof Error;
  if (isError && (GIVEN_BACK.has(error.name) || error.message === RATE_LIMITED)) return false;
  return (isError && error.name === "UnrecoverableError") || job.attemptsMade + 1 >= attempts;
}

/** Returns what BullMQ would have kept of the error. */
export function failureOf(error: unknown, job: RemovableJob) {
  return {
    reason: error instanceof Error ? error.message : String(error),
    stacktrace: error instanceof Error ? (error.stack ?? "") : "",
    attempts: job.attemptsMade + 1,
  };
}

/** Options of a job that hold for it when it is added again, by their stored name. A delay is over by then. */
const CARRIED: Readonly<Record<string, string>> = {
  attempts: "attempts",
  backoff: "backoff",
  cpof: "continueParentOnFailure",
  de: "deduplication",
  fpof: "failParentOnFailure",
  idof: "ignoreDependencyOnFailure",
  kl: "keepLogs",
  lifo: "lifo",
  priority: "priority",
  rdof: "removeDependencyOnFailure",
  removeOnComplete: "removeOnComplete",
  removeOnFail: "removeOnFail",
  sizeLimit: "sizeLimit",
  stackTraceLimit: "stackTraceLimit",
};

/** Returns a kept job as BullMQ's `add` takes it; undefined if its data cannot pass through JavaScript unchanged. */
export function toAdded(
  kept: KeptJob,
  text = kept.data,
):
  | { readonly id: string; readonly name: string; readonly data: JsonValue; readonly options: object }
  | undefined {
  const data = jsonValueOf(text);
  if (data === undefined || losesNumbers(text)) return undefined;
  const stored = jsonValueOf(kept.opts);
  const options = Object.entries(isObject(stored) ? stored : {}).flatMap(([name, value]) => {
    const known = Object.hasOwn(CARRIED, name) ? CARRIED[name] : undefined;
    return known === undefined ? [] : [[known, value] as const];
  });
  const parent = jsonValueOf(kept.parent);
  const isChild = isObject(parent) && parent["id"] !== undefined && parent["queueKey"] !== undefined;
  return {
    // BullMQ takes no ":" and no mere number as an id.
    id: `kept-${createHash("sha256").update(kept.uid).digest("hex").slice(0, 24)}`,
    name: kept.name,
    data,
    options: {
      ...Object.fromEntries(options),
      ...(isChild ? { parent: { id: parent["id"], queue: parent["queueKey"] } } : {}),
    },
  };
}
