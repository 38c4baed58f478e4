import { $api } from "./api.ts";
import type { Answer } from "./api.ts";

export type Agent = Answer<"/v1/agents">["agents"][number];
export type Lane = Answer<"/v1/queues">["queues"][number];

/** The surgeon's own lane, as the API names it. */
export const SURGEON = "ward";

/** Agents and their lanes, kept current by the overview; a key of some teams may not see that, and asks for its own. */
export function useWorkforce() {
  const overview = $api.useQuery("get", "/v1/overview");
  const enabled = overview.error !== null;
  const agents = $api.useQuery("get", "/v1/agents", {}, { enabled });
  const queues = $api.useQuery("get", "/v1/queues", {}, { enabled });
  if (!enabled) return overview;
  const data = agents.data && queues.data && { ...agents.data, ...queues.data };
  return { data, error: agents.error ?? queues.error };
}
