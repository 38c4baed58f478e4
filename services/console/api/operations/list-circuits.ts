import { listCircuitViews } from "../../ward/list-circuit-views.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../operation.ts";

/** The circuits of all agents that a process has spoken of in the last week, with what their teams declare. */
export const listCircuits: Handler<"listCircuits"> = async ({ console, caller: { teams } }) => ({
  circuits: (await listCircuitViews(console)).filter(
    ({ agent }) => teams === null || hasGroup(console, agent),
  ),
});
