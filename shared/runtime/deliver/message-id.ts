/** Returns a retry's job id: the message id, a dot and the number of the requeue. */
export function retryJobId(messageId: string, requeues: number): string {
  return `${messageId}.${requeues}`;
}

/** Returns the message id of a job id of either queue. */
export function messageIdOf(jobId: string): string {
  const dot = jobId.indexOf(".");
  return dot === -1 ? jobId : jobId.slice(0, dot);
}

/** Returns the number of the requeue that a job id names; 0 for a message's first job. */
export function requeuesOf(jobId: string): number {
  const dot = jobId.indexOf(".");
  const requeues = dot === -1 ? 0 : Number(jobId.slice(dot + 1));
  return Number.isSafeInteger(requeues) && requeues > 0 ? requeues : 0;
}
