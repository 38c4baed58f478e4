import type { StoredRecipe } from "#shared/store/cases";
import { AbsentError } from "../../errors.ts";
import { assertUnchanged } from "../../ward/assert-unchanged.ts";
import type { Handler } from "../operation.ts";

/** From now on the ladder applies it, without asking; what spoke against it before counts no more. */
export const approveRecipe = judgeAs("approve", (present) => ({
  ...present,
  state: "trusted",
  failures: 0,
  failed_on: [],
  failures_of: {},
  withheld_from: [],
}));

/** It is kept for the record and never applied. */
export const retireRecipe = judgeAs("retire", (present) => ({ ...present, state: "retired", proofs: [] }));

function judgeAs(
  action: "approve" | "retire",
  next: (present: StoredRecipe) => StoredRecipe,
): Handler<"approveRecipe"> {
  return async ({ console: { recipes }, params, body: { why, version }, caller }) => {
    const did = { by: caller.name, action: `recipe.${action}`, why };
    const judge = (present: StoredRecipe): StoredRecipe => {
      assertUnchanged(present, version);
      return next(present);
    };
    const judged = await recipes.change(params.recipe_id, judge, did);
    if (judged === null) throw new AbsentError("recipe");
    return judged.recipe;
  };
}
