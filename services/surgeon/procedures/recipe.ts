import { applyRecipe, parseTolerant, Recipe } from "#shared/surgery";
import type { JsonValue } from "#shared/surgery";
import { FREE, refuse } from "./procedure.ts";
import type { Procedure, Proposal } from "./procedure.ts";
import type { Patient } from "../patient.ts";
import type { Surgery } from "../surgery.ts";

/** Applies what is trusted for this fingerprint. Recipes that disagree are an ambiguity, and that is refused. */
export const recipe: Procedure = {
  name: "recipe",
  provenAs: "recipe",
  async propose(surgery: Surgery, patient: Patient): Promise<Proposal> {
    const stored = await surgery.store.cases.recipes.of(patient.stored.fingerprint);
    const trusted = stored.filter(({ state }) => state === "trusted");
    if (trusted.length === 0) return refuse("There is no trusted recipe for this fingerprint.");
    const value = patient.value ?? soleReading(patient.text);
    if (value === undefined) return refuse("The letter cannot be read in one way, so no recipe applies.");
    const results = new Map<string, JsonValue>();
    for (const one of trusted) {
      const parsed = Recipe.safeParse(one.recipe);
      const applied = parsed.success ? applyRecipe(parsed.data, value) : null;
      if (applied?.ok) results.set(JSON.stringify(applied.value), applied.value);
    }
    const [first, ...others] = results.values();
    if (first === undefined) return refuse("No trusted recipe could be applied.");
    if (others.length > 0) return refuse("Trusted recipes disagree about this letter.");
    return { kind: "repair", value: first, reason: "A trusted recipe for this fingerprint.", bill: FREE };
  },
};

function soleReading(text: string): JsonValue | undefined {
  const readings = parseTolerant(text);
  return readings.length === 1 ? readings[0]?.value : undefined;
}
