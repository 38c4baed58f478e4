import { z } from "zod";
import { now } from "#shared/clock";
import {
  COST_LIMIT_DEFAULT,
  HOPS_MAX_DEFAULT,
  readConstraints,
  TOKEN_LIMIT_DEFAULT,
  writeConstraints,
} from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import type { Team } from "#shared/runtime";
import { constraintFields, findModelFault, findTermFaults } from "#shared/runtime/terms";
import type { Gateway, Handler } from "../gateway.ts";
import type { RunDraft } from "./start-run.ts";

/** Limits that a client asks for. Costs in USD, life in ms; null never expires. */
type AskedLimits = Partial<
  Pick<Parameters<Handler<"submitTask">>[0]["body"], "budget" | "max_hops" | "ttl_ms">
>;

/** Budget, hops and life of a run. */
type RunLimits = Pick<RunDraft["first"], "budget" | "hopsMax" | "ttlMs">;

/**
 * Returns a run's limits: the team's, or lower ones that its client asks for; defaults are ceilings where the team has
 * none, but for life. @throws {RequestInvalidError} The client asks for more; it names field and ceiling.
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

/** Preferences and constraints of a task, as its client gives them. */
interface AskedTerms {
  readonly preferences?: Readonly<Record<string, unknown>> | undefined;
  /** By name, or as texts: `name=value` with the value as JSON; any other text is a constraint in words. */
  readonly constraints?: readonly string[] | Readonly<Record<string, unknown>> | undefined;
}

/** Bounds are those of the envelope and of what a prompt should hold. */
const PREFERENCES_CHARS_MAX = 4096;
const CONSTRAINTS_MAX = 100;
const CONSTRAINT_CHARS_MAX = 2000;

/** Returns a task's constraints in wire form. @throws {RequestInvalidError} Not the team's, or not as declared. */
export function checkTerms(
  { userModels }: Pick<Gateway, "userModels">,
  team: Team,
  { preferences = {}, constraints = [] }: AskedTerms,
): string[] {
  const wire = writeConstraints(constraints);
  const faults = [
    ...boundsOf(preferences, wire),
    ...findTermFaults(team.terms, { preferences, constraints: wire }),
    ...findModelFault(preferences, userModels),
    ...pastDeadline(wire),
  ];
  if (faults.length > 0) throw new RequestInvalidError(faults);
  return wire;
}

function boundsOf(preferences: Readonly<Record<string, unknown>>, wire: readonly string[]): Issue[] {
  const faults: Issue[] = [];
  if (JSON.stringify(preferences).length > PREFERENCES_CHARS_MAX) {
    const message = `at most ${PREFERENCES_CHARS_MAX} characters as JSON`;
    faults.push({ path: "/user/preferences", code: "too_big", message });
  }
  if (wire.length > CONSTRAINTS_MAX || wire.some((text) => text.length > CONSTRAINT_CHARS_MAX)) {
    const message = `at most ${CONSTRAINTS_MAX}, of ${CONSTRAINT_CHARS_MAX} characters each`;
    faults.push({ path: "/constraints", code: "too_big", message });
  }
  return faults;
}

function pastDeadline(wire: readonly string[]): Issue[] {
  const { deadline } = rulesOf(wire);
  if (deadline === undefined || Date.parse(deadline) > now()) return [];
  return [{ path: "/constraints/deadline", code: "past", message: "the deadline is over" }];
}

const rulesSchema = z.object({
  deadline: constraintFields.deadline.catch(undefined),
  max_cost_usd: constraintFields.max_cost_usd.catch(undefined),
});

/** Returns the deadline and the maximum cost among checked constraints. */
function rulesOf(wire: readonly string[]): z.output<typeof rulesSchema> {
  return rulesSchema.parse(readConstraints(wire).values);
}

/** Lowers a run's limits to its task's deadline and cost. @param defaultTtlMs - Of a task that asks for none. */
export function limitsUnder(limits: RunLimits, wire: readonly string[], defaultTtlMs: number): RunLimits {
  const { deadline, max_cost_usd: costMax = Infinity } = rulesOf(wire);
  const { budget, ttlMs = defaultTtlMs } = limits;
  const left = deadline === undefined ? Infinity : Math.max(0, Date.parse(deadline) - now());
  return {
    ...limits,
    budget: { ...budget, cost_limit: Math.min(budget?.cost_limit ?? COST_LIMIT_DEFAULT, costMax) },
    ...(left < (ttlMs ?? Infinity) ? { ttlMs: left } : {}),
  };
}
