import { branchOf, branchTag } from "#shared/envelope";
import type { EnvelopeMeta } from "#shared/envelope";

/** What a run's record keeps of the branch that a message belongs to; nothing for one that belongs to none. */
export function branchFieldOf(meta: EnvelopeMeta | undefined): { readonly branch?: string } {
  const branch = meta === undefined ? null : branchOf(meta);
  return branch === null ? NO_BRANCH : { branch: branchTag(branch) };
}

const NO_BRANCH = {};
