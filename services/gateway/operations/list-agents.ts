import { describeAgents } from "#shared/api";
import type { Handler } from "../operation.ts";
import { seesTotals, teamsFor } from "../tenancy/may-see.ts";

/** Agents as this gateway's teams declare them, joined with the processes that say they work for them. */
export const listAgents: Handler<"listAgents"> = async ({ gateway, caller }) => {
  const agents = describeAgents(teamsFor(gateway, caller), await gateway.store.registry.live());
  return { agents: seesTotals(caller) ? agents : agents.filter(({ declared }) => declared) };
};
