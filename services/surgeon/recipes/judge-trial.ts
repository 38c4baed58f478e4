import { SURGEON_ID } from "#shared/envelope";
import { proveRecipes } from "#shared/recipes";
import type { Recipe } from "#shared/recipes";
import { EVERY_PRODUCER, OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { StoredCase, StoredRecipe } from "#shared/store/cases";
import type { Attempt } from "#shared/ward/moves";
import { readContext } from "../cases/case.ts";
import { triage } from "../propose/free-procedures.ts";
import type { Surgery } from "../surgery.ts";
import { producerOf } from "./recipe-cache.ts";

/** Counts a message that a trial recipe healed with proof. Failed proofs do not count: anybody can cause them. */
export async function judgeTrials(
  surgery: Surgery,
  caseId: string,
  attempts: readonly Attempt[],
): Promise<void> {
  for (const { recipe_id, on_trial, outcome } of attempts) {
    // Trusted recipes skip proof counting, which saves Redis calls on the common path.
    if (recipe_id === undefined || outcome !== "healed" || on_trial !== true) continue;
    // It has its proofs and waits for another producer only.
    if (surgery.recipeCache.isProved(recipe_id)) continue;
    await countProof(surgery, recipe_id, caseId);
  }
}

/** Counts a case, once, as proof of a trial recipe, not the one it was learned from; trusts it after enough. */
async function countProof(surgery: Surgery, recipeId: string, caseId: string): Promise<void> {
  const { recipeProofs } = surgery.limits;
  const next = (present: StoredRecipe): StoredRecipe | null => {
    const isNew = !present.proofs.includes(caseId) && present.learned_from !== caseId;
    if (present.state !== "trial" || !isNew || present.proofs.length >= recipeProofs) return null;
    return trustIfProved(surgery, { ...present, proofs: [...present.proofs, caseId] });
  };
  const counted = await surgery.recipes.change(recipeId, next, ({ state, proofs }) =>
    state === "trusted" ? trustedBy(proofs) : null,
  );
  const isProved = counted?.recipe.state === "trial" && counted.recipe.proofs.length >= recipeProofs;
  if (isProved) surgery.recipeCache.markProved(recipeId);
}

/** Trusts a trial recipe with enough proofs, if enough producers' repairs led to it. Pure. */
export function trustIfProved({ limits }: Pick<Surgery, "limits">, recipe: StoredRecipe): StoredRecipe {
  const { proofs, taught_by } = recipe;
  const isProved =
    proofs.length >= limits.recipeProofs &&
    (taught_by.length >= limits.recipeProducers || taught_by.includes(EVERY_PRODUCER));
  return isProved ? { ...recipe, state: "trusted" } : recipe;
}

/** Returns the line of the audit about a recipe that is trusted by its proofs. */
export function trustedBy(proofs: readonly string[]) {
  const why = `It healed ${proofs.length} messages with proof.`;
  return { by: SURGEON_ID, action: "recipe.trusted", why };
}

/** Messages of one producer that came back, after which a recipe may be withheld from it. */
const FAILURES_MAX = 3;

/** A recipe is withheld below this ratio of healed messages to failures: one in a hundred may fail. */
const HEALED_PER_FAILURE_MIN = 100;

/** A message repaired by a recipe that its receiver refused again. */
interface Returned {
  readonly caseId: string;
  /** As `producerOf` names it. */
  readonly producer: string;
}

/**
 * Counts a message that came back against the recipe that healed it. After three messages of one
 * producer the recipe is withheld from that producer; withheld from enough producers, it is retired. Recipes that a
 * team ships for all faults of an agent are exempt.
 */
export async function countReturned(surgery: Surgery, recipeId: string, returned: Returned): Promise<void> {
  const { recipes, limits, logger } = surgery;
  const { caseId, producer } = returned;
  const healed = (await recipes.find(recipeId))?.healed ?? 0;
  await recipes.change(
    recipeId,
    (one) => {
      if (!isInUse(one) || isForAllFaults(one) || one.failed_on.includes(caseId)) return null;
      const own = (one.failures_of[producer] ?? 0) + 1;
      const counted = {
        ...one,
        failures: one.failures + 1,
        failed_on: [...one.failed_on, caseId],
        failures_of: { ...one.failures_of, [producer]: own },
      };
      const isBearable = own < FAILURES_MAX || healed >= own * HEALED_PER_FAILURE_MIN;
      return isBearable ? counted : withhold(counted, producer, limits.recipeProducers);
    },
    ({ state, withheld_from }, before) => {
      if (withheld_from.length === before.withheld_from.length) return null;
      logger.warn({ recipe_id: recipeId, producer }, "a recipe is withheld from a producer");
      const why = `Messages of ${producer} that it healed came back, the last one as case ${caseId}.`;
      return { by: SURGEON_ID, action: state === "retired" ? "recipe.retired" : "recipe.withheld", why };
    },
  );
}

/** Withholds a recipe from a producer; retires one withheld from enough, or, on trial, from all it was applied to. */
function withhold(one: StoredRecipe, producer: string, producersMax: number): StoredRecipe {
  const withheld_from = [...new Set([...one.withheld_from, producer])];
  const isFromAll = one.state === "trial" && one.taught_by.every((taught) => withheld_from.includes(taught));
  const isGivenUp = isFromAll || withheld_from.length >= producersMax;
  return { ...one, withheld_from, ...(isGivenUp && { state: "retired", proofs: [] }) };
}

function isInUse({ state }: StoredRecipe): boolean {
  return state === "trial" || state === "trusted";
}

/** As `recipeScope` names them. */
function isForAllFaults({ fingerprint }: StoredRecipe): boolean {
  return fingerprint.includes("/*/");
}

/** Maximum messages of a group that one trial reads. */
const CASES_READ_MAX = 50;

/** Ids read at once. */
const PAGE = 25;

/**
 * Tries a recipe on the open cases of its group, with full proof and without changing them, until it has enough proofs.
 * Only messages of producers whose own repairs led to it count: another producer may mean a fitting value differently.
 *
 * @param trial.stored - The stored recipe. The case that it was learned from does not count.
 */
export async function tryOnOpenCases(
  surgery: Surgery,
  trial: { readonly stored: StoredRecipe; readonly recipe: Recipe },
): Promise<void> {
  const { cases } = surgery.store;
  const { fingerprint, recipe_id, learned_from } = trial.stored;
  let proofs = 0;
  for (let from = 0; from < CASES_READ_MAX && proofs < surgery.limits.recipeProofs; from += PAGE) {
    const ids = await cases.idsOf({ kind: "group", fingerprint }, { from, limit: PAGE });
    for (const id of ids.filter((one) => one !== learned_from)) {
      if (proofs >= surgery.limits.recipeProofs) break;
      const stored = await cases.find(id);
      if (stored === null || !wouldHeal(surgery, stored, trial)) continue;
      proofs += 1;
      await countProof(surgery, recipe_id, id);
    }
    if (ids.length < PAGE) break;
  }
}

/** Returns true if the recipe repairs this open message with proof, and its producer is one that led to the recipe. */
function wouldHeal(
  surgery: Surgery,
  stored: StoredCase,
  trial: Parameters<typeof tryOnOpenCases>[1],
): boolean {
  if (!OPEN_CASE_STATUSES.includes(stored.status)) return false;
  const context = readContext(surgery, stored);
  if (context === null || context.message.doubt !== null) return false;
  if (!trial.stored.taught_by.includes(producerOf(context.message))) return false;
  return triage(context).kind === "operate" && proveRecipes([trial], context)[0]?.proof.passes === true;
}
