/** A retry's job id is the message id, a dot and the number of the requeue. */
export function retryJobId(messageId: string, requeues: number): string {
  return `${messageId}.${requeues}`;
}

/** The message a job id stands for, in either lane. */
export function messageIdOf(jobId: string): string {
  const dot = jobId.indexOf(".");
  return dot === -1 ? jobId : jobId.slice(0, dot);
}
