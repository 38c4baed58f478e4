import { toMicro } from "#shared/runtime/fan-out";
import type { Collected } from "#shared/store/fan-outs";
import type { HeldMessage } from "#shared/store/runs";
import type { CollectedBranch } from "#shared/store/settlement";
import type { RelayParts } from "../relay.ts";
import { RUNS_SLOT } from "../verify/verify-branches.ts";
import type { RelayedAgent } from "../verify/verify-entry.ts";

/**
 * Records a branch's answer at its joining agent, once, and delivers the effects. The run's record has confirmed that
 * this agent holds the last message of that branch. The money spent comes from the run's record as well: an agent
 * that reports too much would keep other branches from starting, and one that reports too little could spend without
 * limit.
 *
 * @returns How it was counted; `unknown` if this agent joins no such fan-out.
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
