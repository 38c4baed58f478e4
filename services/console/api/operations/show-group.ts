import { AbsentError } from "../../errors.ts";
import { findGroupView } from "../../ward/group-views.ts";
import { operation } from "../operation.ts";
import { groupParams } from "./request-fields.ts";

/** A group with its recipes, what has been learned of it, and who did what with it. */
export const showGroup = operation({
  id: "showGroup",
  role: "viewer",
  params: groupParams,
  async handle({ console, params: { fingerprint } }) {
    const { store } = console;
    const [group, recipes, audit] = await Promise.all([
      findGroupView(console, fingerprint),
      store.cases.recipes.usedOf(fingerprint),
      store.cases.groups.audit(fingerprint),
    ]);
    if (group === null) throw new AbsentError("group");
    return { ...group, recipes, audit };
  },
});
