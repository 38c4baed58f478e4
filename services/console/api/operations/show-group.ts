import { AbsentError } from "../../errors.ts";
import { findGroupView } from "../../ward/group-views.ts";
import type { Handler } from "../operation.ts";

/** A group with its recipes, what has been learned of it, and who did what with it. */
export const showGroup: Handler<"showGroup"> = async ({ console, params: { fingerprint } }) => {
  const { store } = console;
  const [group, recipes, audit] = await Promise.all([
    findGroupView(console, fingerprint),
    console.recipes.usedOf(fingerprint),
    store.cases.groups.audit(fingerprint),
  ]);
  if (group === null) throw new AbsentError("group");
  return { ...group, recipes, audit };
};
