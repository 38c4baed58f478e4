import { TENANT_DEFAULT } from "#shared/config";
import type { ApiScope, KeyHolder } from "#shared/config";
import { ForbiddenError } from "#shared/http";
import type { Team } from "#shared/runtime";
import type { RunRecord } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import { OPERATORS } from "#shared/api";

/** The sender of a request; null on operations that ask for no key, which see nothing of anybody. */
export type Caller = KeyHolder | null;

/** Returns true if a caller runs the cluster, and so sees what belongs to every tenant. */
export function isStaff(caller: Caller): boolean {
  return caller !== null && OPERATORS.includes(caller.scope);
}

/** The tenant whose things a caller sees; undefined: those of all. */
export function tenantSeen(caller: Caller): string | undefined {
  return isStaff(caller) ? undefined : (caller?.tenant ?? "");
}

export function maySee(caller: Caller, { tenant, team }: Pick<RunRecord, "tenant" | "team">): boolean {
  if (caller === null) return false;
  return (isStaff(caller) || tenant === caller.tenant) && mayUse(caller, team);
}

/** The teams that the caller may use, of those there are. */
export function teamsFor({ teams }: Pick<Gateway, "teams">, caller: Caller): readonly Team[] {
  return caller === null ? [] : teams.filter(({ name }) => mayUse(caller, name));
}

function mayUse({ teams }: KeyHolder, team: string): boolean {
  return teams === null || teams.includes(team);
}

/** Returns true if numbers over all tenants are for the caller: staff, and keys of the tenant that runs the cluster. */
export function seesTotals(caller: Caller): boolean {
  return isStaff(caller) || caller?.tenant === TENANT_DEFAULT;
}

/** @throws {ForbiddenError} The caller's key has none of these scopes. */
export function requireScope(caller: Caller, scopes: readonly ApiScope[]): void {
  if (caller === null || !scopes.includes(caller.scope))
    throw new ForbiddenError(caller?.scope ?? "", scopes, caller?.name ?? "");
}

/** @throws {ForbiddenError} The answer would tell of other tenants. */
export function requireTotals(caller: Caller): void {
  if (!seesTotals(caller)) throw new ForbiddenError(caller?.scope ?? "", OPERATORS, caller?.name ?? "");
}
