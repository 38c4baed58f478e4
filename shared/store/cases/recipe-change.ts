import { timestamp } from "#shared/clock";
import type { AuditEntry } from "./read-audit.ts";
import type { StoredRecipe } from "./recipe-record.ts";

/** Returns true if a change makes no difference to the ladder. */
export function isSameForLadder(one: StoredRecipe, other: StoredRecipe): boolean {
  const seen = ({ state, recipe, taught_by, withheld_from }: StoredRecipe): string =>
    JSON.stringify([state, recipe, taught_by, withheld_from]);
  return seen(one) === seen(other);
}

/** Returns the audit line of a change. */
export function auditOf(did: {
  readonly recipe_id: string;
  readonly fingerprint: string;
  readonly by: string;
  readonly action: string;
  readonly why?: string;
  readonly learned_from?: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}): AuditEntry {
  const { recipe_id, fingerprint, by, action, why = "", learned_from, detail } = did;
  return {
    case_id: learned_from ?? "",
    at: timestamp(),
    by,
    action,
    why,
    detail: { recipe_id, fingerprint, ...detail },
  };
}
