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
  const { store } = gateway;
  await findRun(gateway, caller, runId);
  return store.runs.cancel({
    runId,
    by: caller?.name ?? "",
    markLifeMs: Math.max(store.options.retentionMs, TTL_MS_MAX),
  });
}
