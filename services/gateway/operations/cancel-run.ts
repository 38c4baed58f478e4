import { TTL_MS_MAX } from "#shared/envelope/limits";
import type { Handler } from "../operation.ts";
import { findRun } from "../tenancy/see-run.ts";
import { summarise } from "../runs/view-run.ts";

/** Asks for a run's end. One that has ended already is answered as it is. */
export const cancelRun: Handler<"cancelRun"> = async ({ gateway, params, caller }) => {
  const { store, teams } = gateway;
  const record = await findRun(gateway, caller, params.run_id);
  const team = teams.find((candidate) => candidate.name === record.team);
  // A team that was renamed since: its agents are those that messages of the run have gone to.
  const agents =
    team === undefined
      ? (await store.runs.messages(params.run_id)).map(({ agent }) => agent)
      : [...team.agents.keys()];
  const cancelled = await store.runs.cancel({
    runId: params.run_id,
    agents: [...new Set(agents)],
    by: caller?.name ?? "",
    markLifeMs: Math.max(store.options.retentionMs, TTL_MS_MAX),
  });
  return summarise(cancelled);
};
