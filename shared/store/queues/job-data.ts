/** The stored form of a job: a sealed message, or the name of a case. Only `attempt` may change outside the seal. */
export type JobData = Readonly<Record<string, unknown>>;

const texts = new WeakMap<JobData, string>();

/** Its JSON text, written once for each value: the outbox and the queue store the same. */
export function dataTextOf(data: JobData): string {
  const known = texts.get(data);
  if (known !== undefined) return known;
  const text = JSON.stringify(data);
  texts.set(data, text);
  return text;
}
