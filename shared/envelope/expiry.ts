import { timestamp } from "#shared/clock";
import { EnvelopeInvalidError } from "./errors.ts";
import { requireAmount } from "./limits.ts";

/** Life of a message where nobody asked for another, in milliseconds. */
export const TTL_MS_DEFAULT = 5 * 60 * 1000;

const EXPIRES_AT = "/meta/expires_at";

/** The last instant that a wire field can write. */
const INSTANT_MS_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The instant `ttlMs` from now; null, and nothing else, lives for ever. @throws {EnvelopeInvalidError} */
export function expiryAfter(nowMs: number, ttlMs: number | null): string | null {
  if (ttlMs === null) return null;
  const atMs = nowMs + requireAmount(ttlMs, EXPIRES_AT);
  if (atMs > INSTANT_MS_MAX) {
    throw new EnvelopeInvalidError([
      { path: EXPIRES_AT, code: "invalid_amount", message: "after the year 9999" },
    ]);
  }
  return timestamp(Math.trunc(atMs));
}

/** The earlier of two expiries, null being never. */
export function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) <= Date.parse(other) ? one : other;
}
