import { timestamp } from "#shared/clock";
import { agentNameOf, findContradiction, hopsOf } from "../path.ts";
import type { Billing, Envelope } from "../envelope.ts";
import { EnvelopeInvalidError, FutureTimestampError, PathMismatchError } from "../errors.ts";
import { BudgetExceededError, ExpiredError, HopLimitError, LoopDetectedError } from "./limit-errors.ts";

interface LimitsQuestion {
  readonly envelope: Envelope;
  readonly nowMs: number;
  /** Time for which the message may be older than its expiry, in ms. Default 0. */
  readonly extensionMs?: number;
  /** Plain name of the receiver. */
  readonly agent: string;
  /** True if the team's transitions allow returning along the edge that the work came on (see `senderOf`). */
  readonly loopAllowed: boolean;
}

/** Maximum skew of a timestamp into the future, in ms. All processes of a cluster follow its Redis' clock. */
export const FUTURE_MS_MAX = 60_000;

/**
 * Checks a message against its own limits, at both ends of a handoff. Values exactly at a limit pass.
 * @throws {PathMismatchError} `hop_count` contradicts `path`: the envelope was tampered with.
 * @throws {ExpiredError | FutureTimestampError | LoopDetectedError | HopLimitError | BudgetExceededError} in this order
 */
export function checkLimits(question: LimitsQuestion): void {
  const { envelope, nowMs, agent, loopAllowed, extensionMs = 0 } = question;
  const { meta, billing } = envelope;
  const contradiction = findContradiction(envelope);
  if (contradiction !== undefined) throw new PathMismatchError(contradiction.path, contradiction.problem);
  // Written so that an unreadable time counts as past.
  if (meta.expires_at !== null && !(nowMs <= Date.parse(meta.expires_at) + extensionMs))
    throw new ExpiredError(meta.expires_at);
  if (!(Date.parse(meta.timestamp) - nowMs <= FUTURE_MS_MAX)) throw new FutureTimestampError(meta.timestamp);
  if (!loopAllowed && meta.path.some((id) => agentNameOf(id) === agent)) throw new LoopDetectedError(agent);
  const hops = hopsOf(meta.path);
  if (!(hops <= meta.max_hops)) throw new HopLimitError({ hops, hopsMax: meta.max_hops });
  checkBudget(billing);
}

/**
 * Checks a run's spending against its budget: exactly the limit passes for a handoff, which is free, not for a call.
 * @param next - Minimum cost (in the run's currency) and tokens of the next model call; zeros if unknown.
 * @throws {BudgetExceededError} Names the field. {EnvelopeInvalidError} `next` is not made of finite numbers >= 0.
 */
export function checkBudget(
  billing: Billing,
  next?: { readonly cost: number; readonly tokens: number },
): void {
  const { cost_so_far, cost_limit, tokens_consumed, token_limit } = billing;
  if (next !== undefined) {
    requireAmount(next.cost, "/billing/cost_so_far");
    requireAmount(next.tokens, "/billing/tokens_consumed");
  }
  const cost = cost_so_far + (next?.cost ?? 0);
  const tokens = tokens_consumed + (next?.tokens ?? 0);
  const isCostSpent = next !== undefined && cost_so_far >= cost_limit;
  const areTokensSpent = next !== undefined && tokens_consumed >= token_limit;
  // Negated comparisons, so that NaN is refused.
  if (isCostSpent || !(cost <= cost_limit)) {
    throw new BudgetExceededError({ field: "cost_so_far", spent: cost, limit: cost_limit });
  }
  if (areTokensSpent || !(tokens <= token_limit)) {
    throw new BudgetExceededError({ field: "tokens_consumed", spent: tokens, limit: token_limit });
  }
}

/** Returns a finite number of at least 0, whatever the caller's types say. @throws {EnvelopeInvalidError} */
export function requireAmount(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw new EnvelopeInvalidError([
    { path, code: "invalid_amount", message: "not a finite number of at least 0" },
  ]);
}

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
