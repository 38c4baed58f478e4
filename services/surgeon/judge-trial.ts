import { crashPoint } from "#shared/crash-points";
import type { StoredRecipe } from "#shared/store";
import type { Attempt } from "#shared/ward";
import { SURGEON_ID } from "./surgery.ts";
import type { Surgery } from "./surgery.ts";

/**
 * What became of recipes that were applied, for their standing: a letter that one on trial healed with proof
 * speaks for it, a failed proof against any.
 *
 * @returns whether a recipe was sent back, so that the letter may be looked at without it.
 */
export async function judgeTrials(
  surgery: Surgery,
  caseId: string,
  attempts: readonly Attempt[],
): Promise<boolean> {
  let isSentBack = false;
  for (const { recipe_id, on_trial, outcome, objections } of attempts) {
    if (recipe_id === undefined) continue;
    // One that is trusted needs no more proofs: nearly every letter is healed by such, and is not to ask Redis for it.
    if (outcome === "healed" && on_trial === true) await countProof(surgery, recipe_id, caseId);
    if (outcome !== "objected") continue;
    const codes = [...new Set(objections.map(({ code }) => code))].join(", ");
    const why = `Its proof failed on case ${caseId} (${codes}).`;
    if (await sendBack(surgery, recipe_id, { caseId, why })) isSentBack = true;
  }
  return isSentBack;
}

/**
 * Counts one case for a recipe on trial, and trusts it once it has enough. Twice is once, and the case that it was
 * taken from is none.
 */
export async function countProof(surgery: Surgery, recipeId: string, caseId: string): Promise<void> {
  const { recipes } = surgery.store.cases;
  const next = (present: StoredRecipe): StoredRecipe | null => {
    const isNew = !present.proofs.includes(caseId) && present.learned_from !== caseId;
    if (present.state !== "trial" || !isNew) return null;
    return { ...present, proofs: [...present.proofs, caseId] };
  };
  const counted = await recipes.change(recipeId, next, null);
  // Counted before by a surgeon that did not live to trust it, it is to be trusted now.
  if (counted === null || counted.recipe.state !== "trial") return;
  crashPoint("W15:after_proof_before_trust");
  await trustIfProved(surgery, counted.recipe);
}

/** Trusts a recipe on trial that has enough proofs. */
async function trustIfProved(surgery: Surgery, recipe: StoredRecipe): Promise<void> {
  const { recipeProofs } = surgery.limits;
  if (recipe.proofs.length < recipeProofs) return;
  const why = `It healed ${recipe.proofs.length} letters with proof.`;
  await surgery.store.cases.recipes.change(
    recipe.recipe_id,
    (present) =>
      present.state === "trial" && present.proofs.length >= recipeProofs
        ? { ...present, state: "trusted" }
        : null,
    { by: SURGEON_ID, action: "recipe.trusted", why },
  );
}

/**
 * Of a hundred letters that a recipe heals, one may be such that its proof fails: the others are not to pay
 * for that.
 */
const HEALED_PER_FAILURE_MIN = 100;

/** One letter that speaks against a recipe. */
export interface Failure {
  readonly caseId: string;
  readonly why: string;
}

/**
 * Sends a recipe back to those that are only proposed, or retires it when it has failed too often. What a team
 * ships for all faults of an agent cannot heal each of them, and stays.
 *
 * @returns whether it was in use until now.
 */
export async function sendBack(
  surgery: Surgery,
  recipeId: string,
  { caseId, why }: Failure,
): Promise<boolean> {
  const { recipes } = surgery.store.cases;
  const present = await recipes.find(recipeId);
  if (present === null) return false;
  const failures = present.failures + (present.failed_on.includes(caseId) ? 0 : 1);
  const isHopeless =
    failures >= surgery.limits.recipeFailuresMax && present.healed < failures * HEALED_PER_FAILURE_MIN;
  const state = isHopeless ? "retired" : "proposed";
  const changed = await recipes.change(
    recipeId,
    (one) =>
      isInUse(one) && !isForAllFaults(one)
        ? { ...one, state, failures, failed_on: [...new Set([...one.failed_on, caseId])], proofs: [] }
        : null,
    { by: SURGEON_ID, action: isHopeless ? "recipe.retired" : "recipe.sent_back", why },
  );
  if (changed?.isChanged !== true) return false;
  surgery.logger.warn({ recipe_id: recipeId, case_id: caseId, state }, "a recipe failed a proof");
  return true;
}

function isInUse({ state }: StoredRecipe): boolean {
  return state === "trial" || state === "trusted";
}

/** As `recipeScope` names them. */
function isForAllFaults({ fingerprint }: StoredRecipe): boolean {
  return fingerprint.includes("/*/");
}
