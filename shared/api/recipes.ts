import { z } from "zod";
import { Recipe } from "#shared/recipes";
import { auditEntrySchema, RECIPE_STATES, recipeSchema } from "#shared/store/cases";
import {
  ADMINS,
  idField,
  issueSchema,
  limitQuery,
  offsetQuery,
  OPERATORS,
  optionalWhyBody,
  textQuery,
  versionField,
  VIEWERS,
  whyField,
} from "./fields.ts";
import { groupParams, groupViewSchema, usedRecipeSchema } from "./groups.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const recipeParams = z.object({ recipe_id: idField });

function change<Kind extends string>(kind: Kind, summary: string) {
  return {
    ...post(`/v1/recipes/:recipe_id/${kind}`, ADMINS, `recipe.${kind}`),
    summary,
    params: recipeParams,
    answers: { 200: recipeSchema },
    problems: ["not_found", "changed_meanwhile"],
  } as const;
}

const trialSchema = z.object({
  proved: z.int(),
  failed: z.int(),
  idle: z.int(),
  messages: z
    .array(
      z.object({
        case_id: z.string(),
        result: z.enum(["proved", "failed", "idle"]),
        objections: z.array(issueSchema),
      }),
    )
    .meta({ description: "What is said against it first, then what speaks for it." }),
  is_cut: z.boolean().meta({ description: "There are more messages than were looked at." }),
});

export const RECIPES = {
  listRecipes: {
    ...get("/v1/recipes", VIEWERS),
    summary: "List recipes that meet every filter, the one that was changed last first",
    query: z.strictObject({
      state: z.enum(RECIPE_STATES).exactOptional(),
      fingerprint: idField.exactOptional(),
      text: textQuery.exactOptional(),
      limit: limitQuery.unwrap().exactOptional().meta({ description: "Default: all." }),
      offset: offsetQuery,
    }),
    answers: {
      200: z.object({
        recipes: z.array(usedRecipeSchema),
        total: z.int(),
        counts: z
          .record(z.string(), z.int())
          .meta({ description: "By state, of those that meet all filters but the state." }),
      }),
    },
  },
  showRecipe: {
    ...get("/v1/recipes/:recipe_id", VIEWERS),
    summary: "Show a recipe with its group and its audit",
    params: recipeParams,
    answers: {
      200: usedRecipeSchema.extend({
        group: groupViewSchema.nullable(),
        audit: z.array(auditEntrySchema),
      }),
    },
    problems: ["not_found"],
  },
  tryRecipe: {
    ...post("/v1/recipes/:recipe_id/try", OPERATORS),
    summary: "Try another recipe, dry, on the messages of its fingerprint that lie in the ward",
    params: recipeParams,
    body: z.strictObject({ recipe: Recipe }),
    answers: { 200: trialSchema },
    problems: ["not_found"],
  },
  proposeRecipe: {
    ...post("/v1/ward/groups/:fingerprint/recipes", OPERATORS, "recipe.propose"),
    summary:
      "Propose a recipe for a group, proved on what lies in the ward; it waits for an admin's approval",
    params: groupParams,
    body: z.strictObject({ recipe: Recipe, why: whyField }),
    answers: { 200: trialSchema.extend({ recipe_id: z.string() }) },
    problems: ["not_found", "recipe_refused"],
  },
  approveRecipe: {
    ...change("approve", "Have the ladder apply a recipe from now on"),
    body: optionalWhyBody,
  },
  editRecipe: {
    ...change("edit", "Put another text in a recipe's place, on trial"),
    body: z.strictObject({ recipe: Recipe, why: whyField, version: versionField }),
  },
  retireRecipe: {
    ...change("retire", "Keep a recipe for the record and never apply it"),
    body: optionalWhyBody,
  },
} as const satisfies DeclaredApi;
