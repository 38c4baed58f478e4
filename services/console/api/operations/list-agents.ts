import { describeAgents } from "#shared/api";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../operation.ts";

export const listAgents: Handler<"listAgents"> = async ({ console, caller: { teams } }) => ({
  agents: describeAgents(console.teams, await console.store.registry.live()).filter(
    ({ agent }) => teams === null || hasGroup(console, agent),
  ),
});
