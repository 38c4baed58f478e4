import { TENANT_DEFAULT } from "#shared/config";
import type { KeyHolder } from "#shared/config";

/** `viewer` looks; `operator` also acts on cases and queues; `admin` also judges recipes. */
export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** Who sends a request, as the audit names them. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  /** Who that is, whatever key they use; null where nobody can say, as behind a login link. */
  readonly person: string | null;
  /** Names of the teams that the key is limited to; null: all. */
  readonly teams: readonly string[] | null;
  /** The session's secret where there is one; null for an API key. */
  readonly session: string | null;
}

/** The roles that may do what `needed` may. */
export function rolesFrom(needed: Role): readonly Role[] {
  return ROLES.slice(ROLES.indexOf(needed));
}

/** The name of the API key that a launcher makes for its own machine, and of whoever comes with its login link. */
export const LOCAL_NAME = "local";

/**
 * The caller behind an API key, with what it may do now. @param people - Persons by the names of their keys, so that
 * two keys of one person count as one. The machine's key is nobody's, and so is one of an admin's making that the
 * configuration gives to nobody.
 * @returns null for keys that see only their own: `submit`, and `viewer` of another tenant.
 */
export function callerBy(
  { name, scope, tenant, teams, isMade }: KeyHolder,
  { people, session }: { readonly people: ReadonlyMap<string, string>; readonly session: string | null },
): Caller | null {
  const role = ROLES.find((one) => one === scope);
  if (role === undefined || (role === "viewer" && tenant !== TENANT_DEFAULT)) return null;
  const person = name === LOCAL_NAME ? null : (people.get(name) ?? (isMade === true ? null : name));
  return { name, role, person, teams, session };
}
