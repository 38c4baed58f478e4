import { z } from "zod";
import { RECIPE_STATES } from "#shared/store/cases";

/** A recipe: how far it is believed, and whose repair it was taken from. */
export const recipeSchema = z.object({
  recipe_id: z.string(),
  fingerprint: z.string(),
  state: z.enum(RECIPE_STATES),
  recipe: z.unknown(),
  by: z.string(),
  at: z.string(),
  learned_from: z.string().nullable(),
  proofs: z.array(z.string()),
  taught_by: z.array(z.string()),
  failures: z.int(),
  failed_on: z.array(z.string()),
  failures_of: z.record(z.string(), z.int()),
  withheld_from: z.array(z.string()),
  changed_by: z.string(),
  changed_at: z.string(),
  why: z.string(),
  version: z.int(),
  seal: z.object({ alg: z.string(), key_id: z.string(), value: z.string() }).exactOptional(),
});

export const usedRecipeSchema = recipeSchema.extend({
  healed: z.int().meta({ description: "Messages that it healed." }),
});
