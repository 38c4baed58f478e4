import { branchOf, branchTag } from "#shared/envelope";
import type { EnvelopeMeta } from "#shared/envelope";

/** Returns the `branch` field of a run's record for a message; empty if it belongs to none. */
export function branchFieldOf(meta: EnvelopeMeta | undefined): { readonly branch?: string } {
  const branch = meta === undefined ? null : branchOf(meta);
  return branch === null ? NO_BRANCH : { branch: branchTag(branch) };
}

const NO_BRANCH = {};
