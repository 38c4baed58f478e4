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

/** The role of an API key; none for keys that see only their own: `submit`, and `viewer` of another tenant. */
export function roleOf({ scope, tenant }: Pick<KeyHolder, "scope" | "tenant">): Role | null {
  if (scope === "viewer" && tenant !== TENANT_DEFAULT) return null;
  return ROLES.find((role) => role === scope) ?? null;
}

/** The roles that may do what `needed` may. */
export function rolesFrom(needed: Role): readonly Role[] {
  return ROLES.slice(ROLES.indexOf(needed));
}

/** The name of the API key that a launcher makes for its own machine, and of whoever comes with its login link. */
export const LOCAL_NAME = "local";

/**
 * Who is behind an API key, so that two keys of one person count as one. @param key - Null for a login link.
 * @param people - Persons by the names of their keys. @returns null where anybody may be: a login link, the machine's
 * key, or a key of an admin's making that the configuration gives to nobody.
 */
export function personOf(
  key: Pick<KeyHolder, "name" | "isMade"> | null,
  people: ReadonlyMap<string, string>,
): string | null {
  if (key === null || key.name === LOCAL_NAME) return null;
  return people.get(key.name) ?? (key.isMade === true ? null : key.name);
}
