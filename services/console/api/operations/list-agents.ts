import { describeAgents } from "#shared/api";
import type { Handler } from "../operation.ts";

export const listAgents: Handler<"listAgents"> = async ({ console: { store, teams } }) => ({
  agents: describeAgents(teams, await store.registry.live()),
});
