import { findBatches } from "#shared/ward";
import { operation } from "../operation.ts";

export const listApplies = operation({
  id: "listApplies",
  role: "viewer",
  handle: async ({ console }) => ({ applies: await findBatches(console.store) }),
});
