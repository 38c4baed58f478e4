import { signRecord, verifyRecord } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import type { Store } from "#shared/store";
import { RecipeStore } from "#shared/store/cases";
import type { RecipeProblem, StoredRecipe } from "#shared/store/cases";

const PURPOSE = "recipe";

/**
 * Returns the ward's recipes for a process that signs what it writes: the console those of people, the surgeon those
 * of teams and repairs. A surgeon skips unsigned recipes; people see them and may approve them.
 *
 * @param how.onForged - Called for each active recipe that is unsigned or was changed since it was signed.
 */
export function signedRecipes(
  store: Store,
  how: {
    readonly keyring: Keyring;
    readonly signer: "console" | "surgeon";
    readonly onForged?: (recipe: StoredRecipe, problem: RecipeProblem) => void;
  },
): RecipeStore {
  const { keyring, signer, onForged = () => undefined } = how;
  return new RecipeStore(store, {
    seal: (recipe) => ({
      ...recipe,
      seal: signRecord(signedFieldsOf(recipe), { key: keyring.signing(signer, "ward"), purpose: PURPOSE })
        .seal,
    }),
    isGenuine: (recipe) => isGenuine(recipe, keyring),
    adopts: signer === "console",
    onForged,
  });
}

function isGenuine(recipe: StoredRecipe, keyring: Keyring): boolean {
  try {
    const signed = { ...signedFieldsOf(recipe), seal: recipe.seal };
    verifyRecord(signed, { keyring, purpose: PURPOSE, from: ["console", "surgeon"], to: "ward" });
    return true;
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return false;
  }
}

/** Returns the signed fields, in fixed order; fields of later releases are not included. */
function signedFieldsOf(recipe: StoredRecipe): Omit<StoredRecipe, "seal"> {
  return {
    recipe_id: recipe.recipe_id,
    fingerprint: recipe.fingerprint,
    state: recipe.state,
    recipe: recipe.recipe,
    by: recipe.by,
    at: recipe.at,
    learned_from: recipe.learned_from,
    proofs: recipe.proofs,
    failures: recipe.failures,
    failed_on: recipe.failed_on,
    taught_by: recipe.taught_by,
    failures_of: recipe.failures_of,
    withheld_from: recipe.withheld_from,
    changed_by: recipe.changed_by,
    changed_at: recipe.changed_at,
    why: recipe.why,
    version: recipe.version,
  };
}
