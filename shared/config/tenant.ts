/** The tenant of keys that name none, and of everything without an owner. */
export const TENANT_DEFAULT = "local";

/** Lower case, so that no file system takes two of them for one. */
export const TENANT = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/**
 * A user's id as it travels and owns conversations: of a tenant but the default one, `tenant/id`, so that no tenant can
 * name a user of another. Ids of the default tenant are left as they are, unless they would read as another's.
 *
 * @param userId - Null: the tenant's users that have no id.
 */
export function ownedUser(tenant: string, userId: string | null): string | null {
  if (tenant !== TENANT_DEFAULT) return `${tenant}/${userId ?? ""}`;
  return userId?.includes("/") === true ? `${TENANT_DEFAULT}/${userId}` : userId;
}

/** The tenant of a user's id that `ownedUser` has made. */
export function tenantOfUser(userId: string | null): string {
  const [tenant = "", ...rest] = userId?.split("/") ?? [];
  return rest.length > 0 && TENANT.test(tenant) ? tenant : TENANT_DEFAULT;
}
