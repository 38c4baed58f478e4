import { TTL_MS_MAX } from "#shared/envelope/limits";
import type { RunRecord } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";

/**
 * Cancels a run, and returns it as it is then. One that has ended already stays as it is.
 *
 * @throws {NotFoundError}
 */
export async function endRun(gateway: Gateway, caller: Caller, runId: string): Promise<RunRecord> {
  const { store, teams } = gateway;
  const record = await findRun(gateway, caller, runId);
  const team = teams.find((candidate) => candidate.name === record.team);
  // A team that was renamed since: its agents are those that messages of the run have gone to.
  const agents =
    team === undefined
      ? (await store.runs.messages(runId)).map(({ agent }) => agent)
      : [...team.agents.keys()];
  return store.runs.cancel({
    runId,
    agents: [...new Set(agents)],
    by: caller?.name ?? "",
    markLifeMs: Math.max(store.options.retentionMs, TTL_MS_MAX),
  });
}
