import type { ApiScope } from "#shared/config";

/** `viewer` looks; `operator` also acts on cases and queues, and sees raw queues; `admin` also judges recipes. */
export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** Who sends a request, as the audit names them. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  /** Who that is, whatever key they use; null where nobody can say, as behind a login link. */
  readonly person: string | null;
  /** The session's secret where there is one; null for an API key. */
  readonly session: string | null;
}

/** The role of an API key; null for `submit`, which starts runs and sees nothing of others. */
export function roleOf(scope: ApiScope): Role | null {
  return ROLES.find((role) => role === scope) ?? null;
}

/** The roles that may do what `needed` may. */
export function rolesFrom(needed: Role): readonly Role[] {
  return ROLES.slice(ROLES.indexOf(needed));
}
