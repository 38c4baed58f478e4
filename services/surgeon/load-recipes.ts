import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { derivedId, timestamp } from "#shared/clock";
import type { Store } from "#shared/store";
import { Recipe } from "#shared/surgery";
import { RecipeFileError } from "./errors.ts";

const fileSchema = z.strictObject({ fingerprint: z.string().min(1).max(300), recipe: Recipe });

/**
 * Puts the recipes that teams ship, `<folder>/<team>/recipes/*.json`, into the ward as trusted.
 *
 * @returns How many there were.
 * @throws {RecipeFileError} A file is no recipe: the start stops, because a team counts on it.
 */
export async function loadRecipes(store: Store, teamsDir: string): Promise<number> {
  const root = resolve(teamsDir);
  const files = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name, "recipes"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => file.endsWith(".json"))
    .toSorted();
  for (const file of files) {
    const { fingerprint, recipe } = readRecipe(file);
    const by = file.slice(root.length + 1);
    const recipe_id = derivedId("recipe", by);
    const isKept = await store.cases.recipes.put({
      recipe_id,
      fingerprint,
      state: "trusted",
      recipe,
      by,
      at: timestamp(),
    });
    if (!isKept) throw new RecipeFileError(by, "its fingerprint has too many recipes");
  }
  return files.length;
}

function readRecipe(file: string): z.output<typeof fileSchema> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new RecipeFileError(file, "it is not JSON");
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    const places = parsed.error.issues.slice(0, 5).map((issue) => issue.path.join(".") || "the file");
    throw new RecipeFileError(file, `it is wrong at ${places.join(", ")}`);
  }
  return parsed.data;
}
