import { createHash } from "node:crypto";
import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

/** One digest for one meaning: objects with the same fields in another order are the same request. */
export function digestRequest(operation: string, body: unknown): string {
  // It was parsed from JSON, within the bounds of depth and size.
  const text = canonical(body as JsonValue);
  return createHash("sha256").update(`${operation}\n${text}`).digest("hex");
}
