import type { Billing, Envelope } from "./envelope.ts";
import { EnvelopeInvalidError, FutureTimestampError, PathMismatchError } from "./errors.ts";
import { BudgetExceededError, ExpiredError, HopLimitError, LoopDetectedError } from "./limit-errors.ts";
import { agentNameOf, findContradiction, hopsOf } from "./path.ts";

export interface LimitsQuestion {
  readonly envelope: Envelope;
  readonly nowMs: number;
  /** The receiver, by name without version. */
  readonly agent: string;
  /** True where the team's transitions allow coming back along the edge the work came on (see `senderOf`). */
  readonly loopAllowed: boolean;
}

/**
 * How far in the future a message may say that it was made, in ms. All processes of a cluster go by the clock of its
 * Redis, and those of two clusters differ by seconds at most where both are kept right.
 */
export const FUTURE_MS_MAX = 60_000;

/**
 * Holds a message against its own limits; both ends of a handoff do. What sits exactly at a limit passes.
 *
 * @throws {PathMismatchError} `hop_count` is not what `path` says: somebody lied.
 * @throws {ExpiredError} @throws {FutureTimestampError} It says that it was made more than `FUTURE_MS_MAX` from now.
 * @throws {LoopDetectedError | HopLimitError | BudgetExceededError} in this order.
 */
export function checkLimits({ envelope, nowMs, agent, loopAllowed }: LimitsQuestion): void {
  const { meta, billing } = envelope;
  const contradiction = findContradiction(envelope);
  if (contradiction !== undefined) throw new PathMismatchError(contradiction.path, contradiction.problem);
  // Written so that an unreadable time counts as past.
  if (meta.expires_at !== null && !(nowMs <= Date.parse(meta.expires_at)))
    throw new ExpiredError(meta.expires_at);
  if (!(Date.parse(meta.timestamp) - nowMs <= FUTURE_MS_MAX)) throw new FutureTimestampError(meta.timestamp);
  if (!loopAllowed && meta.path.some((id) => agentNameOf(id) === agent)) throw new LoopDetectedError(agent);
  const hops = hopsOf(meta.path);
  if (!(hops <= meta.max_hops)) throw new HopLimitError({ hops, hopsMax: meta.max_hops });
  checkBudget(billing);
}

/**
 * Holds what a run spent against its limits. Having spent exactly the limit passes for a handoff, which costs nothing
 * itself; before a model call, pass `next`, and having nothing left is too much already. A limit of 0 allows nothing.
 *
 * @param next - Least cost (in the run's currency) and tokens of the next model call; zeros where unknown.
 * @throws {BudgetExceededError} with the field; {EnvelopeInvalidError} if `next` is not made of finite numbers >= 0.
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

/** A finite number of at least 0, whatever the caller's types said. @throws {EnvelopeInvalidError} */
export function requireAmount(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw new EnvelopeInvalidError([
    { path, code: "invalid_amount", message: "not a finite number of at least 0" },
  ]);
}
