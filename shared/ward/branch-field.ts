import type { StoredCase } from "#shared/store";

/**
 * The branch of a fan-out that a case's letter belongs to, as its run's record keeps it; nothing where it is of none.
 */
export function branchFieldOf({ fields }: Pick<StoredCase, "fields">): { readonly branch?: string } {
  const branch = fields["branch"];
  return branch === undefined ? {} : { branch };
}
