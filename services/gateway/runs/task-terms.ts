import { z } from "zod";
import { now } from "#shared/clock";
import { COST_LIMIT_DEFAULT, readConstraints, writeConstraints } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import { constraintFields, findModelFault, findTermFaults } from "#shared/runtime/terms";
import type { Team } from "#shared/runtime";
import type { Gateway } from "../gateway.ts";
import type { RunLimits } from "./limits.ts";

/** Preferences and constraints of a task, as its client gives them. */
export interface AskedTerms {
  readonly preferences?: Readonly<Record<string, unknown>> | undefined;
  /** By name, or as texts: `name=value` with the value as JSON; any other text is a constraint in words. */
  readonly constraints?: readonly string[] | Readonly<Record<string, unknown>> | undefined;
}

/** Bounds are those of the envelope and of what a prompt should hold. */
const PREFERENCES_CHARS_MAX = 4096;
const CONSTRAINTS_MAX = 100;
const CONSTRAINT_CHARS_MAX = 2000;

/**
 * Returns the constraints of a task in their wire form.
 *
 * @throws {RequestInvalidError} The team takes no such preference or constraint, a value is not what it declares, the
 * operator does not allow the preferred model, or the deadline is past. Names the fields.
 */
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

/**
 * Lowers a run's limits to its task's deadline and maximum cost.
 *
 * @param defaultTtlMs - Life of a task that asks for none, in ms.
 */
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
