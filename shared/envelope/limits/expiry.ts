import { timestamp } from "#shared/clock";
import { EnvelopeInvalidError } from "../errors.ts";
import { requireAmount } from "./limits.ts";

const DAY_MS = 86_400_000;

/** Default message lifetime (TTL), in ms: one day, so that a deployment, an outage or a backlog expires nothing. */
export const TTL_MS_DEFAULT = DAY_MS;

/** Maximum time to live that a task may request, in ms: seven days. The alternative is none. */
export const TTL_MS_MAX = 7 * DAY_MS;

const EXPIRES_AT = "/meta/expires_at";

/** The latest timestamp that a wire field can hold. */
const INSTANT_MS_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns the timestamp `ttlMs` from now; null for no expiry. @throws {EnvelopeInvalidError} */
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

/** Returns the earlier of two expiries; null means never. */
export function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) <= Date.parse(other) ? one : other;
}
