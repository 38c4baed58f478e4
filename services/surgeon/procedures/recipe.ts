import { isSameJson, onlyReading, tryRecipe } from "#shared/surgery";
import type { JsonValue, Tried } from "#shared/surgery";
import { FREE, refuse } from "./procedure.ts";
import type { Procedure, Proposal } from "./procedure.ts";
import type { Patient } from "../patient.ts";
import { recipeScope } from "../recipe-scope.ts";
import type { UsableRecipe } from "../recipe-shelf.ts";
import type { Surgery } from "../surgery.ts";

/**
 * Applies what is trusted for this fingerprint, else what is on trial for it; where nothing is, what its team ships for
 * the agent and contract. Recipes that disagree are an ambiguity, and that is refused.
 */
export const recipe: Procedure = {
  name: "recipe",
  provenAs: "recipe",
  async propose(surgery: Surgery, patient: Patient): Promise<Proposal> {
    const { agent, contract } = patient.letter.record;
    for (const bound of [patient.stored.fingerprint, recipeScope({ agent, contract })]) {
      const usable = await surgery.shelf.of(bound);
      const value = usable.length === 0 ? undefined : onlyReading(patient);
      if (value === undefined) continue;
      for (const state of ["trusted", "trial"] as const) {
        const [first, ...others] = applyAll(patient, { usable, state, value });
        if (first === undefined) continue;
        if (others.length > 0) return refuse("Recipes disagree about this letter.");
        const isOnTrial = state === "trial";
        const reason = isOnTrial ? "A recipe on trial." : "A trusted recipe.";
        const { recipeId, tried } = first;
        return { kind: "repair", reason, bill: FREE, recipeId, isOnTrial, ...tried };
      }
    }
    return refuse("No trusted recipe applies.");
  },
};

interface Result {
  readonly recipeId: string;
  readonly tried: Tried;
}

/** The different values that recipes of one state make of this one. */
function applyAll(
  patient: Patient,
  by: {
    readonly usable: readonly UsableRecipe[];
    readonly state: UsableRecipe["state"];
    readonly value: JsonValue;
  },
): Result[] {
  const results: Result[] = [];
  for (const one of by.usable.filter((each) => each.state === by.state)) {
    const tried = tryRecipe(one.recipe, { schema: patient.schema, value: by.value });
    if (tried === null || results.some((other) => isSameJson(other.tried.value, tried.value))) continue;
    results.push({ recipeId: one.recipe_id, tried });
  }
  return results;
}
