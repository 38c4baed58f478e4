import { OPEN_CASE_STATUSES } from "#shared/store";
import type { StoredCase } from "#shared/store";
import { onlyReading, tryRecipe } from "#shared/surgery";
import type { Recipe } from "#shared/surgery";
import { countProof, sendBack } from "./judge-trial.ts";
import { openLetter } from "./held.ts";
import { whatIsUnknown } from "./known.ts";
import { proveRepair } from "./ladder.ts";
import { examine } from "./patient.ts";
import { triage } from "./procedures/triage.ts";
import type { Surgery } from "./surgery.ts";

/** Letters of a group that are looked at for one trial: of most faults the first few say all. */
const LOOKED_AT_MAX = 50;

/** Ids read at once. */
const PAGE = 25;

/**
 * Tries a recipe on the letters of its group that lie in the ward, with full proof and without touching them, until
 * enough speak for it or one against it.
 *
 * @param trial.except - The case that it was taken from, which proves nothing, and those that spoke against it
 * before.
 */
export async function tryOnHeld(
  surgery: Surgery,
  trial: {
    readonly recipeId: string;
    readonly recipe: Recipe;
    readonly fingerprint: string;
    readonly except: readonly string[];
  },
): Promise<void> {
  const { cases } = surgery.store;
  const { fingerprint, recipeId, except } = trial;
  let proofs = 0;
  for (let from = 0; from < LOOKED_AT_MAX && proofs < surgery.limits.recipeProofs; from += PAGE) {
    const ids = await cases.idsOf({ kind: "group", fingerprint }, { from, limit: PAGE });
    for (const id of ids.filter((one) => !except.includes(one))) {
      if (proofs >= surgery.limits.recipeProofs) break;
      const stored = await cases.find(id);
      const result = stored === null ? "idle" : tryOn(surgery, stored, trial.recipe);
      if (result === "failed") {
        await sendBack(surgery, recipeId, { caseId: id, why: `Its proof failed on case ${id}, on trial.` });
        return;
      }
      if (result === "idle") continue;
      proofs += 1;
      await countProof(surgery, recipeId, id);
    }
    if (ids.length < PAGE) break;
  }
}

/** `idle`: it is no open letter, or the recipe does not apply to it. */
function tryOn(surgery: Surgery, stored: StoredCase, recipe: Recipe): "proved" | "failed" | "idle" {
  if (!OPEN_CASE_STATUSES.includes(stored.status)) return "idle";
  const letter = openLetter(surgery, stored);
  if (typeof letter === "string" || letter.envelope === null || letter.doubt !== null) return "idle";
  if (whatIsUnknown(surgery, letter.record) !== null) return "idle";
  const patient = examine(surgery, stored, letter);
  const value = onlyReading(patient);
  if (triage(patient).kind !== "operate" || value === undefined) return "idle";
  const tried = tryRecipe(recipe, { schema: patient.schema, value });
  if (tried === null) return "idle";
  return proveRepair(patient, { ...tried, provenAs: "recipe" }).passes ? "proved" : "failed";
}
