import { createHash } from "node:crypto";
import { now } from "#shared/clock";
import { deriveRecipe, isOfContract, onlyReading } from "#shared/recipes";
import { isSameJson, jsonValueOf } from "#shared/schema";
import type { KeptRecipes } from "#shared/store/attached";
import type { DataContract } from "./data-contract.ts";
import type { JobCase } from "./job-case.ts";
import { byRecipe, originalOf, WardRecipe } from "./propose.ts";

/** Recipes of one queue, at most. */
const RECIPES_MAX = 200;

export type Learned =
  | { readonly kind: "learned"; readonly recipe: WardRecipe }
  | { readonly kind: "none"; readonly reason: string };

/** Returns the recipes of a queue. Those that cannot be read, of a newer release say, are left out. */
export async function readRecipes(kept: KeptRecipes): Promise<readonly WardRecipe[]> {
  return Object.values(await kept.list()).flatMap((text) => {
    const read = WardRecipe.safeParse(jsonValueOf(text));
    return read.success ? [read.data] : [];
  });
}

/** Derives a recipe from what a person makes of a case's data, and keeps it. */
export async function learnRecipe(
  kept: KeptRecipes,
  contract: DataContract | null,
  repair: { readonly jobCase: JobCase; readonly data: string; readonly by: string },
): Promise<Learned> {
  if (contract === null) return none("The queue has no contract, so nothing tells what a recipe may write.");
  const original = repair.jobCase.data === null ? null : originalOf(repair.jobCase.data, contract);
  const whole = jsonValueOf(repair.data);
  const after = whole === undefined ? undefined : contract.part(whole);
  const before = original === null ? undefined : onlyReading(original.part);
  if (original === null || before === undefined || whole === undefined || after === undefined)
    return none("The data before or after cannot be read.");
  const [fault] = contract.findFaults(after);
  if (fault !== undefined) return none(`The repair does not satisfy the contract at "${fault.path}".`);
  const expected = jsonValueOf(contract.replacePart(original.whole ?? repair.data, JSON.stringify(after)));
  if (expected === undefined || !isSameJson(expected, whole))
    return none("The repair changes more than the part under the contract.");
  const recipe = deriveRecipe({ before, after, schema: contract.jsonSchema });
  if (recipe === undefined || !isOfContract(recipe, contract.jsonSchema))
    return none("The repair needs a value of this very job, so it cannot apply to others.");
  const id = createHash("sha256").update(JSON.stringify(recipe)).digest("hex").slice(0, 16);
  const learned: WardRecipe = { id, recipe, by: repair.by, atMs: now() };
  if (byRecipe(original, contract, [learned]) === null)
    return none("The proof refuses the repair: a value of it cannot be traced to the data.");
  const isKept = await kept.add(id, JSON.stringify(learned), RECIPES_MAX);
  return isKept ? { kind: "learned", recipe: learned } : none(`There are ${RECIPES_MAX} recipes already.`);
}

function none(reason: string): Learned {
  return { kind: "none", reason };
}
