import { createHash } from "node:crypto";
import { derivedId } from "#shared/clock";
import { Concealer, sensitiveValues } from "#shared/masking";
import { proveRepair } from "#shared/proof";
import type { Proof, ProofSubject } from "#shared/proof";
import { firstAid } from "#shared/repair";
import type { Note } from "#shared/repair";
import { canonical, isSameJson } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { deriveRecipe } from "./derive-recipe.ts";
import { isOfContract, onlyReading, proveRecipes } from "./judge-recipe.ts";
import { Recipe } from "./recipe.ts";

/** A repair without a model, with its proof, which may have failed; or why there is none. */
export type FreeProposal<By> =
  | {
      readonly kind: "repair";
      /** The recipe that made it; null for first aid. */
      readonly by: By;
      readonly value: JsonValue;
      readonly proof: Proof;
      /** First aid's steps. */
      readonly notes: readonly Note[];
    }
  | { readonly kind: "refusal"; readonly reason: string };

/** Repairs syntax and shape by rules: no guess. */
export function proposeByRules(subject: ProofSubject): FreeProposal<null> {
  const aided = firstAid(subject.text, subject.schema);
  if (!aided.ok) return { kind: "refusal", reason: `${aided.code}: ${aided.reason}` };
  const { value, notes } = aided;
  const proof = proveRepair(subject, { value, provenAs: "first_aid", steps: notes });
  return { kind: "repair", by: null, value, proof, notes };
}

/** Applies lists of recipes, in order, and prefers what is proved. Recipes of one list that disagree are refused. */
export function proposeByRecipes<By extends { readonly recipe: Recipe }>(
  subject: ProofSubject,
  lists: readonly (readonly By[])[],
): FreeProposal<By> {
  let unproved: FreeProposal<By> | undefined;
  for (const recipes of lists) {
    const results = proveRecipes(recipes, subject);
    const proved = agreed(results.filter(({ proof }) => proof.passes));
    if (proved !== undefined) return proved;
    unproved ??= agreed(results);
  }
  return unproved ?? { kind: "refusal", reason: "No trusted recipe applies." };
}

function agreed<By extends { readonly recipe: Recipe }>([first, ...others]: ReturnType<
  typeof proveRecipes<By>
>): FreeProposal<By> | undefined {
  if (first === undefined) return undefined;
  if (others.some(({ value }) => !isSameJson(value, first.value)))
    return { kind: "refusal", reason: "Recipes disagree about this message." };
  return { kind: "repair", ...first, notes: [] };
}

/**
 * Learns a recipe from an accepted repair: the proposed one, else one derived from the difference. It makes exactly
 * this repair, writes only what the contract declares, passes the proof of recipes, and holds no sensitive value,
 * because it outlives its message and is shown to all roles. @returns The recipe, or why there is none.
 */
export function learnRecipe(
  subject: ProofSubject,
  repair: { readonly value: JsonValue; readonly proposed?: unknown },
): { readonly recipe: Recipe } | { readonly refusal: string } {
  const before = onlyReading(subject);
  if (before === undefined) return { refusal: "The message can be read in several ways." };
  const { schema, sources } = subject;
  const named = Recipe.safeParse(repair.proposed);
  const elsewhere = Object.values(sources).map((one) =>
    typeof one === "string" ? one : JSON.stringify(one ?? null),
  );
  const derived = deriveRecipe({ before, after: repair.value, schema, elsewhere });
  const candidates = [...(named.success ? [named.data] : []), ...(derived === undefined ? [] : [derived])];
  const sensitive = [before, repair.value].flatMap((value) => sensitiveValues(value, schema));
  const concealer = new Concealer(sensitive, () => "");
  let refusal = "The repair needs a value of this very message, which no other message has.";
  for (const recipe of candidates) {
    const text = textOfRecipe(recipe);
    const [tried] = proveRecipes([{ recipe }], subject);
    if (concealer.inText(text) !== text) refusal = "What it would do holds a sensitive value.";
    else if (!isOfContract(recipe, schema)) refusal = "It would write what the contract does not list.";
    else if (tried?.proof.passes !== true) refusal = "Its proof does not pass.";
    else if (!isSameJson(tried.value, repair.value))
      refusal = "It would make another value than this repair.";
    else return { recipe };
  }
  return { refusal };
}

/** Returns the id of a recipe in its group: the same for recipes that say the same. */
export function recipeIdOf(fingerprint: string, recipe: Recipe): string {
  return derivedId("recipe", fingerprint, createHash("sha256").update(textOfRecipe(recipe)).digest("hex"));
}

/** Returns the same text for recipes that say the same. */
export function textOfRecipe(recipe: Recipe): string {
  // A recipe is JSON by its schema.
  return canonical(recipe as unknown as JsonValue);
}
