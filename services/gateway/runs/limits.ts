import { COST_LIMIT_DEFAULT, HOPS_MAX_DEFAULT, TOKEN_LIMIT_DEFAULT } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import type { Team } from "#shared/runtime";
import type { RunDraft } from "./start-run.ts";

/** Limits that a client asks for, in the fields of its request. Costs in USD, life in ms; null never expires. */
export interface AskedLimits {
  readonly budget?: { readonly cost_limit?: number; readonly token_limit?: number };
  readonly max_hops?: number;
  readonly ttl_ms?: number | null;
}

/** What a run may spend, how far and how long it may go. */
export type RunLimits = Pick<RunDraft["first"], "budget" | "hopsMax" | "ttlMs">;

/**
 * Returns the limits of a run: the team's, or lower ones that its client asks for. A team that declares no limit of
 * cost, tokens or hops has the default of every run as its ceiling; one that declares no life leaves it to the client.
 *
 * @throws {RequestInvalidError} The client asks for more; the fault names the field and its ceiling.
 */
export function limitsOf(team: Team, { budget = {}, max_hops, ttl_ms }: AskedLimits): RunLimits {
  const { cost_limit, token_limit, hopsMax } = ceilingsOf(team);
  const { ttlMs } = team.options;
  const faults = [
    faultOf("/budget/cost_limit", budget.cost_limit, cost_limit),
    faultOf("/budget/token_limit", budget.token_limit, token_limit),
    faultOf("/max_hops", max_hops, hopsMax),
    // Never is longer than any life.
    faultOf("/ttl_ms", ttl_ms ?? (ttl_ms === null ? Infinity : undefined), ttlMs ?? Infinity),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) throw new RequestInvalidError(faults);
  const life = ttl_ms === undefined ? ttlMs : ttl_ms;
  return {
    budget: { cost_limit, token_limit, ...budget },
    hopsMax: max_hops ?? hopsMax,
    ...(life === undefined ? {} : { ttlMs: life }),
  };
}

/** Limits that a message had, as far as its team still allows them. Life is left as it was. */
export function lowerTo(
  team: Team,
  had: { readonly cost_limit: number; readonly token_limit: number; readonly hopsMax: number },
): typeof had {
  const { cost_limit, token_limit, hopsMax } = ceilingsOf(team);
  return {
    cost_limit: Math.min(had.cost_limit, cost_limit),
    token_limit: Math.min(had.token_limit, token_limit),
    hopsMax: Math.min(had.hopsMax, hopsMax),
  };
}

function ceilingsOf({ options }: Team) {
  return {
    cost_limit: options.costLimit ?? COST_LIMIT_DEFAULT,
    token_limit: options.tokenLimit ?? TOKEN_LIMIT_DEFAULT,
    hopsMax: options.hopsMax ?? HOPS_MAX_DEFAULT,
  };
}

function faultOf(path: string, asked: number | undefined, ceiling: number): Issue | null {
  if (asked === undefined || asked <= ceiling) return null;
  return {
    path,
    code: "above_ceiling",
    message: `the team allows at most ${ceiling}; leave it out or lower it`,
  };
}
