import { onlyReading, tryRecipe } from "#shared/recipes";
import type { Recipe } from "#shared/recipes";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { StoredCase, StoredRecipe } from "#shared/store/cases";
import { proveRepair } from "#shared/ward";
import { findUnknown, openMessage } from "../cases/read-message.ts";
import { repairContextOf } from "../cases/repair-context.ts";
import { triage } from "../cases/triage.ts";
import type { Surgery } from "../surgery.ts";
import { countProof } from "./judge-trial.ts";
import { producerOf } from "./producer-of.ts";

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
  const message = openMessage(surgery, stored);
  if (typeof message === "string" || message.envelope === null || message.doubt !== null) return false;
  if (findUnknown(surgery, message.record) !== null) return false;
  const context = repairContextOf(surgery, stored, message);
  if (!trial.stored.taught_by.includes(producerOf(context.message))) return false;
  const value = onlyReading(context);
  if (triage(context).kind !== "operate" || value === undefined) return false;
  const tried = tryRecipe(trial.recipe, { schema: context.schema, value });
  return tried !== null && proveRepair(context, { ...tried, provenAs: "recipe" }).passes;
}
