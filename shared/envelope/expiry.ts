import { timestamp } from "#shared/clock";
import { EnvelopeInvalidError } from "./errors.ts";
import { requireAmount } from "./limits.ts";

const DAY_MS = 86_400_000;

/** Default life of a message, in milliseconds: one day, so that a deploy, an outage or a backlog ends nothing. */
export const TTL_MS_DEFAULT = DAY_MS;

/** The longest life that a task may ask for, in milliseconds: seven days. Beside it only "never". */
export const TTL_MS_MAX = 7 * DAY_MS;

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
