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

/** Messages of a group that are looked at for one trial: of most faults the first few say all. */
const LOOKED_AT_MAX = 50;

/** Ids read at once. */
const PAGE = 25;

/**
 * Tries a recipe on the messages of its group that lie in the ward, with full proof and without touching them, until
 * enough speak for it. Only messages of producers whose own repairs came to it count: that a value fits where the
 * recipe puts it does not say that another producer meant it so.
 *
 * @param trial.stored - The recipe as it is kept. The case that it was taken from proves nothing.
 */
export async function tryOnOpenCases(
  surgery: Surgery,
  trial: { readonly stored: StoredRecipe; readonly recipe: Recipe },
): Promise<void> {
  const { cases } = surgery.store;
  const { fingerprint, recipe_id, learned_from } = trial.stored;
  let proofs = 0;
  for (let from = 0; from < LOOKED_AT_MAX && proofs < surgery.limits.recipeProofs; from += PAGE) {
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

/** Whether it is an open message of a producer that taught the recipe, which the recipe repairs with proof. */
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
