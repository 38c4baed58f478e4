import { proveRecipes } from "#shared/recipes";
import { firstAid as mend } from "#shared/repair";
import { isSameJson } from "#shared/schema";
import type { RepairContext } from "../cases/read-case.ts";
import { recipeScope } from "../recipes/load-recipes.ts";
import { isFor, producerOf } from "../recipes/recipe-cache.ts";
import type { UsableRecipe } from "../recipes/recipe-cache.ts";
import type { Surgery } from "../surgery.ts";
import { FREE, refuse } from "./procedure.ts";
import type { Procedure, Proposal } from "./procedure.ts";

/**
 * Applies the trusted recipes of this fingerprint, else those on trial for it and this producer, else those that the
 * team ships for the agent and contract. Prefers proved results. Recipes that disagree are refused as ambiguous.
 */
export const recipe: Procedure = {
  name: "recipe",
  provenAs: "recipe",
  async propose(surgery: Surgery, context: RepairContext): Promise<Proposal> {
    const { agent, contract } = context.message.record;
    const producer = producerOf(context.message);
    let unproved: Proposal | undefined;
    for (const bound of [context.stored.fingerprint, recipeScope({ agent, contract })]) {
      const usable = (await surgery.recipeCache.of(bound)).filter((one) => isFor(one, producer));
      for (const state of ["trusted", "trial"] as const) {
        const inState = usable.filter((one) => one.state === state);
        const results = proveRecipes(inState, context);
        const proved = proposeOnly(results.filter(({ proof }) => proof.passes));
        if (proved !== undefined) return proved;
        unproved ??= proposeOnly(results);
      }
    }
    return unproved ?? refuse("No trusted recipe applies.");
  },
};

type Result = ReturnType<typeof proveRecipes<UsableRecipe>>[number];

/** @returns undefined without a result. */
function proposeOnly([first, ...others]: readonly Result[]): Proposal | undefined {
  if (first === undefined) return undefined;
  const { by, value, proof } = first;
  if (others.some((other) => !isSameJson(other.value, value)))
    return refuse("Recipes disagree about this message.");
  const isOnTrial = by.state === "trial";
  const reason = isOnTrial ? "A recipe on trial." : "A trusted recipe.";
  return { kind: "repair", reason, bill: FREE, recipeId: by.recipe_id, isOnTrial, value, proof };
}

/** Deterministic repair of syntax and shape: no model, no cost, no guess. */
export const firstAid: Procedure = {
  name: "first_aid",
  provenAs: "first_aid",
  async propose(_surgery: Surgery, context: RepairContext): Promise<Proposal> {
    const result = mend(context.text, context.schema);
    if (!result.ok) return refuse(`${result.code}: ${result.reason}`);
    const steps = [...new Set(result.notes.map((note) => note.step))].join(", ");
    return {
      kind: "repair",
      value: result.value,
      reason: steps === "" ? "As it stands." : steps,
      bill: FREE,
      steps: result.notes,
    };
  },
};
