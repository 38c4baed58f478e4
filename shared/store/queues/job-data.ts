/** The stored form of a job: a sealed message, or the name of a case. Only `attempt` may change outside the seal. */
export type JobData = Readonly<Record<string, unknown>>;

/**
 * As `JSON.stringify` writes it. A long text inside of an object takes that twice as long as one by itself, and a
 * sealed message is little else.
 */
export function toStoredText(data: JobData): string {
  const { sealed, ...rest } = data;
  const others = JSON.stringify(rest);
  if (typeof sealed !== "string" || others === "{}" || Object.keys(data)[0] !== "sealed") {
    return JSON.stringify(data);
  }
  return `{"sealed":${JSON.stringify(sealed)},${others.slice(1)}`;
}
