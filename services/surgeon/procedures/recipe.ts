import { applyRecipe, parseTolerant, Recipe } from "#shared/surgery";
import type { JsonValue } from "#shared/surgery";
import type { StoredRecipe } from "#shared/store";
import { FREE, refuse } from "./procedure.ts";
import type { Procedure, Proposal } from "./procedure.ts";
import type { Patient } from "../patient.ts";
import { recipeScope } from "../recipe-scope.ts";
import type { Surgery } from "../surgery.ts";

/**
 * Applies what is trusted for this fingerprint; where nothing is, what its team ships for the agent and contract.
 * Recipes that disagree are an ambiguity, and that is refused.
 */
export const recipe: Procedure = {
  name: "recipe",
  provenAs: "recipe",
  async propose(surgery: Surgery, patient: Patient): Promise<Proposal> {
    const { agent, contract } = patient.letter.record;
    const { recipes } = surgery.store.cases;
    const value = patient.value ?? soleReading(patient.text);
    if (value === undefined) return refuse("The letter cannot be read in one way, so no recipe applies.");
    for (const bound of [patient.stored.fingerprint, recipeScope({ agent, contract })]) {
      const results = applyAll(await recipes.of(bound), value);
      const [first] = results;
      if (results.length > 1) return refuse("Trusted recipes disagree about this letter.");
      if (first !== undefined)
        return { kind: "repair", value: first, reason: "A trusted recipe.", bill: FREE };
    }
    return refuse("No trusted recipe applies.");
  },
};

/** The different values that trusted recipes make of this one. */
function applyAll(stored: readonly StoredRecipe[], value: JsonValue): JsonValue[] {
  const results = new Map<string, JsonValue>();
  for (const one of stored.filter(({ state }) => state === "trusted")) {
    const parsed = Recipe.safeParse(one.recipe);
    const applied = parsed.success ? applyRecipe(parsed.data, value) : null;
    if (applied?.ok) results.set(JSON.stringify(applied.value), applied.value);
  }
  return [...results.values()];
}

function soleReading(text: string): JsonValue | undefined {
  const readings = parseTolerant(text);
  return readings.length === 1 ? readings[0]?.value : undefined;
}
