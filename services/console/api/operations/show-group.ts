import { AbsentError } from "../../errors.ts";
import { operation } from "../operation.ts";
import { groupParams } from "./request-fields.ts";

/** A group with its recipes: what has been learned of it. */
export const showGroup = operation({
  id: "showGroup",
  role: "viewer",
  params: groupParams,
  async handle({ console: { store }, params: { fingerprint } }) {
    const [group, recipes] = await Promise.all([
      store.cases.groups.find(fingerprint),
      store.cases.recipes.list(),
    ]);
    if (group === null) throw new AbsentError("group");
    return { ...group, recipes: recipes.filter((recipe) => recipe.fingerprint === fingerprint) };
  },
});
