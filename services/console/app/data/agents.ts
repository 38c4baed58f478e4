import { $api } from "./api.ts";
import type { Answer } from "./answers.ts";

export type Agent = Answer<"/v1/agents">["agents"][number];
export type Lane = Answer<"/v1/queues">["queues"][number];

/** The surgeon's own lane, as the API names it. */
export const SURGEON = "ward";

interface Workforce {
  readonly agents: readonly Agent[];
  readonly queues: readonly Lane[];
}

/** Agents and their lanes, kept current by the overview; a key of some teams may not see that, and asks for its own. */
export function useWorkforce(): {
  readonly data: Workforce | undefined;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
} {
  const overview = $api.useQuery("get", "/v1/overview");
  const isOwn = overview.error !== null;
  const agents = $api.useQuery("get", "/v1/agents", {}, { enabled: isOwn });
  const queues = $api.useQuery("get", "/v1/queues", {}, { enabled: isOwn });
  if (!isOwn) return overview;
  const data =
    agents.data === undefined || queues.data === undefined
      ? undefined
      : { agents: agents.data.agents, queues: queues.data.queues };
  const refetch = async (): Promise<void> => {
    await Promise.all([agents.refetch(), queues.refetch()]);
  };
  return { data, error: agents.error ?? queues.error, refetch };
}
