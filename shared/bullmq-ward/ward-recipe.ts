import { z } from "zod";
import { Recipe } from "#shared/recipes";

/** A repair that applies to other jobs with the same fault. Holds names and types, and no value of a job. */
export const WardRecipe = z.strictObject({
  id: z.string(),
  recipe: Recipe,
  by: z.string(),
  atMs: z.number(),
});

export type WardRecipe = z.infer<typeof WardRecipe>;
