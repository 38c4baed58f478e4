import { timestamp } from "#shared/clock";
import type { AuditEntry } from "./case-record.ts";
import type { StoredRecipe } from "./recipe-record.ts";

/** What the mark of a recipe is filed under: versions below it are not applied. */
export function subjectOf(recipeId: string): string {
  return `recipe:${recipeId}`;
}

/** Whether a change takes something away that the version before allowed: that one must not come back. */
export function isNarrower(changed: StoredRecipe, present: StoredRecipe): boolean {
  const reach = ["retired", "proposed", "trial", "trusted"];
  return (
    reach.indexOf(changed.state) < reach.indexOf(present.state) ||
    JSON.stringify(changed.recipe) !== JSON.stringify(present.recipe) ||
    changed.withheld_from.some((producer) => !present.withheld_from.includes(producer))
  );
}

/** Whether a change is none to who applies recipes. */
export function isSameToTheLadder(one: StoredRecipe, other: StoredRecipe): boolean {
  const seen = ({ state, recipe, taught_by, withheld_from }: StoredRecipe): string =>
    JSON.stringify([state, recipe, taught_by, withheld_from]);
  return seen(one) === seen(other);
}

/** The line that the audit gets of a change. */
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
