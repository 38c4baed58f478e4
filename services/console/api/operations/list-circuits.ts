import { listCircuitViews } from "../../ward/list-circuit-views.ts";
import { operation } from "../operation.ts";

/** The circuits of all agents that a process has spoken of in the last week, with what their teams declare. */
export const listCircuits = operation({
  id: "listCircuits",
  role: "viewer",
  handle: async ({ console }) => ({ circuits: await listCircuitViews(console) }),
});
