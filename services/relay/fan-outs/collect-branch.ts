import { toMicro } from "#shared/runtime/fan-out";
import type { Collected } from "#shared/store/fan-outs";
import type { HeldMessage } from "#shared/store/runs";
import type { CollectedBranch } from "#shared/store/settlement";
import type { RelayParts } from "../relay.ts";
import { RUNS_SLOT } from "../verify/verify-branches.ts";
import type { RelayedAgent } from "../verify/verify-entry.ts";

/**
 * Counts what a branch brought to the agent that joins it, once, and sets in motion what follows. The run's record has
 * said that this agent has the last message of that very branch. It also says what was spent: a branch that told of
 * more would keep others from being started, and one that told of less would spend without end.
 *
 * @returns how it was counted; `unknown` where this agent joins no such fan-out.
 */
export async function collectBranch(
  { store, settlement }: RelayParts,
  { agent }: RelayedAgent,
  came: { readonly held: HeldMessage; readonly collected: CollectedBranch },
): Promise<Collected["as"]> {
  const { held, collected } = came;
  const { fanOutId, index } = collected;
  // A branch may end at an agent that joins other fan-outs.
  if ((await store.fanOuts.joinOf(RUNS_SLOT, fanOutId)) !== agent) return "unknown";
  const run = await store.runs.find(held.runId);
  const { as, entry } = await store.fanOuts.collect(RUNS_SLOT, {
    ...collected,
    messageId: held.messageId,
    costMicro: toMicro(run?.cost ?? 0),
    tokens: run?.tokens ?? 0,
    isOfRun: true,
  });
  await store.confirmation.confirm(store.keys.fanOut(RUNS_SLOT, fanOutId), `b:${index}`);
  if (entry !== null) await settlement.deliver(RUNS_SLOT, entry);
  return as;
}
