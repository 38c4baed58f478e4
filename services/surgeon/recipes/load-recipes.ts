import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { derivedId, timestamp } from "#shared/clock";
import { parseJson } from "#shared/envelope/json";
import { defineError } from "#shared/errors";
import { Recipe } from "#shared/recipes";
import { RECIPE_STATES } from "#shared/store/cases";
import type { NewRecipe, RecipeStore } from "#shared/store/cases";

const fileFields = {
  name: z.string().max(100).optional(),
  description: z.string().max(1000).optional(),
  state: z.enum(RECIPE_STATES).default("trusted"),
  recipe: Recipe,
};

/** A recipe file: bound to one fingerprint, or to all faults of one agent's messages under one contract. */
const fileSchema = z.union([
  z.strictObject({ ...fileFields, fingerprint: z.string().min(1).max(300) }),
  z.strictObject({ ...fileFields, agent: z.string().min(1).max(63), contract: z.string().min(1).max(256) }),
]);

/** Stores recipes that teams ship, trusted by default; unchanged ones keep their state. @throws {RecipeFileError} */
export async function loadRecipes(recipes: RecipeStore, teamsDir: string): Promise<number> {
  const root = resolve(teamsDir);
  const files = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name, "recipes"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => file.endsWith(".json"))
    .toSorted();
  for (const file of files) {
    const { state, recipe, ...bound } = readRecipe(file);
    const by = file.slice(root.length + 1);
    const fingerprint = "fingerprint" in bound ? bound.fingerprint : recipeScope(bound);
    const shipped = { recipe_id: derivedId("recipe", by), fingerprint, state, recipe, by, at: timestamp() };
    if (!(await ship(recipes, shipped)))
      throw new RecipeFileError(by, "its fingerprint has too many recipes");
  }
  return files.length;
}

/** Stores a shipped recipe, unless stored unchanged, as retired or on trial. @returns False at the recipes' limit. */
async function ship(recipes: RecipeStore, shipped: NewRecipe): Promise<boolean> {
  const present = await recipes.find(shipped.recipe_id);
  const isKnown =
    present !== null &&
    present.fingerprint === shipped.fingerprint &&
    isDeepStrictEqual(present.recipe, shipped.recipe);
  return isKnown || recipes.put(shipped);
}

function readRecipe(file: string): z.output<typeof fileSchema> {
  let value: unknown;
  try {
    value = parseJson(readFileSync(file, "utf8"));
  } catch {
    throw new RecipeFileError(file, "it is not JSON, or has a name twice");
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    const places = parsed.error.issues.slice(0, 5).map((issue) => issue.path.join(".") || "the file");
    throw new RecipeFileError(file, `it is wrong at ${places.join(", ")}`);
  }
  return parsed.data;
}

/** Returns the pseudo-fingerprint of a shipped recipe for all faults of an agent and contract; no real one is equal. */
export function recipeScope(bound: { readonly agent: string; readonly contract: string }): string {
  return `${bound.agent}/*/${bound.contract}`;
}

/** A recipe file of a team is invalid. Found at start-up. */
class RecipeFileError extends defineError((file: string, problem: string) => ({
  code: "RECIPE_FILE",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The recipe ${file} cannot be used: ${problem}.`,
  remedy: "Correct or remove the file and start again.",
})) {}
