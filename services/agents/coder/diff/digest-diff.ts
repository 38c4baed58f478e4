import { createHash } from "node:crypto";

/** The first 16 digits of a diff's SHA-256, by which the same diff is known again. */
export function digestDiff(diff: string): string {
  return createHash("sha256").update(diff.trimEnd()).digest("hex").slice(0, 16);
}
