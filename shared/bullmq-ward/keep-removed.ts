/** What is used of a BullMQ job. */
export interface RemovableJob {
  readonly id?: string | undefined;
  readonly name: string;
  readonly data: unknown;
  readonly opts: {
    readonly attempts?: number | undefined;
    readonly removeOnFail?: boolean | number | { readonly count?: number } | undefined;
  };
  readonly attemptsMade: number;
}

/** Returns true if BullMQ removes the job when this error has ended its attempt. */
export function isRemovedAfter(error: unknown, job: RemovableJob, byWorker: boolean): boolean {
  const { removeOnFail = byWorker, attempts = 1 } = job.opts;
  const count = typeof removeOnFail === "object" ? removeOnFail.count : removeOnFail;
  const isRemoved = count === true || count === 0;
  const isFinal = error instanceof Error && error.name === "UnrecoverableError";
  return isRemoved && (isFinal || job.attemptsMade + 1 >= attempts);
}

/** Describes a job that is about to be removed, as JSON text. */
export function describeRemoved(error: unknown, job: RemovableJob): string {
  return JSON.stringify({
    seal: "unsealed",
    id: job.id ?? null,
    name: job.name,
    data: job.data,
    options: job.opts,
    attemptsMade: job.attemptsMade + 1,
    failedReason: error instanceof Error ? error.message : String(error),
    stacktrace: error instanceof Error ? (error.stack ?? null) : null,
  });
}
