import { readAgents } from "../../live/measure.ts";
import { operation } from "../operation.ts";

export const listAgents = operation({
  id: "listAgents",
  role: "viewer",
  handle: async ({ console }) => ({ agents: await readAgents(console) }),
});
