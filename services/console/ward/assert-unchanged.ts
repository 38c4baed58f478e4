import type { StoredRecipe } from "#shared/store/cases";
import { ChangedMeanwhileError } from "../errors.ts";

/**
 * Holds a recipe against what somebody who decides about it had before their eyes.
 *
 * @param version - The one that they looked at; undefined where they did not say.
 * @throws {ChangedMeanwhileError}
 */
export function assertUnchanged(present: StoredRecipe, version: number | undefined): void {
  if (version === undefined || version === present.version) return;
  throw new ChangedMeanwhileError({ what: "recipe", state: present.state, by: present.changed_by });
}
