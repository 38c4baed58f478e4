import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { toMicro } from "#shared/runtime/fan-out";
import type { RelayParts } from "../relay.ts";
import { RUNS_SLOT } from "../verify/verify-branches.ts";
import type { SoundEntry } from "../verify/verify-entry.ts";

/**
 * Opens the fan-out of an entry, if any, before its branches are sent: in the slot of the runs, which no agent can
 * access. Idempotent. The remaining budget is computed from the run's record.
 */
export async function openFanOut({ store, settlement }: RelayParts, { fanOut }: SoundEntry): Promise<void> {
  if (fanOut === null) return;
  const run = await store.runs.find(fanOut.runId);
  const spent = { costMicro: toMicro(run?.cost ?? 0), tokens: run?.tokens ?? 0 };
  const follows = await store.fanOuts.open({ ...fanOut, openedMs: now(), spent }, RUNS_SLOT);
  await store.confirmation.confirm(store.keys.fanOut(RUNS_SLOT, fanOut.fanOutId), "total");
  crashPoint("W28:after_fan_out_before_branches");
  if (follows !== null) await settlement.deliver(RUNS_SLOT, follows);
}
