import { EVERY_PRODUCER } from "#shared/store/cases";
import { AbsentError } from "../../errors.ts";
import { assertUnchanged } from "../../ward/assert-unchanged.ts";
import type { Handler } from "../operation.ts";

/**
 * Puts another text in a recipe's place. It is on trial then: a changed recipe has proved nothing yet. With `version`,
 * only if nobody changed it since that one.
 */
export const editRecipe: Handler<"editRecipe"> = async ({
  console: { recipes },
  params,
  body: { recipe, why, version },
  caller,
}) => {
  const edited = await recipes.change(
    params.recipe_id,
    (present) => {
      assertUnchanged(present, version);
      return {
        ...present,
        recipe,
        state: "trial",
        taught_by: [EVERY_PRODUCER],
        proofs: [],
        failures: 0,
        failed_on: [],
        failures_of: {},
        withheld_from: [],
      };
    },
    { by: caller.name, action: "recipe.edit", why },
  );
  if (edited === null) throw new AbsentError("recipe");
  return edited.recipe;
};
