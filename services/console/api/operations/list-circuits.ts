import { operation } from "../operation.ts";

/** The circuits of all agents that a process has spoken of in the last week. */
export const listCircuits = operation({
  id: "listCircuits",
  role: "viewer",
  handle: async ({ console }) => ({ circuits: await console.store.circuits.list() }),
});
