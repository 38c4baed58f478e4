import { createHash } from "node:crypto";

/**
 * One digest for one meaning: objects with the same fields in another order are the same request. The value was parsed
 * within the bounds of depth and size, so the recursion ends.
 */
export function digestRequest(operation: string, body: unknown): string {
  return createHash("sha256")
    .update(`${operation}\n${canonical(body)}`)
    .digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(",")}}`;
}
