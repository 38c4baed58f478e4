import type { Contract } from "#shared/contract";
import { agentNameOf, senderOf } from "#shared/envelope";
import type { Delivery } from "../deliver/delivery.ts";
import { handoffsOf } from "../deliver/report-delivery.ts";
import { HANDOFF_TYPE_DEFAULT } from "../define/check-team.ts";
import type { Commit } from "./commit-of.ts";

/** Counts well-formed outputs of a settled delivery, and its payload if from outside; in memory only. */
export function countOutputs(delivery: Delivery): void {
  const { place, outcome, message, passed, input } = delivery;
  if (passed !== "no" || outcome === null || message === null) return;
  const { meta } = message.envelope;
  if (input !== undefined && !place.team.agents.has(agentNameOf(meta.source_agent))) {
    place.counter.count({
      agent: meta.source_agent,
      contract: meta.contract,
      model: null,
      prompt_version: null,
    });
  }
  const made = handoffsOf(outcome).filter(({ failure }) => failure === null);
  const drafts = [
    ...made.map(({ draft }) => draft),
    ...(outcome.kind === "fanned_out" ? [outcome.fanOut.join] : []),
  ];
  for (const { contract } of drafts) countOutput(delivery, { contract, model: null });
}

/** Counts a well-formed output of the agent. @param output.model - The model that answered; null for a handoff. */
export function countOutput(
  { place }: Delivery,
  output: { readonly contract: Contract; readonly model: string | null },
): void {
  const { agent } = place;
  place.counter.count({
    agent: agent.id,
    contract: output.contract.id,
    model: output.model,
    prompt_version: agent.options.promptVersion ?? "1",
  });
}

/** Counts a settled or unsendable handoff for its pair, in memory; retries and cancelled runs do not count. */
export function countPairs(delivery: Delivery, { scope }: Commit): void {
  const { place, message, outcome } = delivery;
  if (message === null || outcome === null || scope !== "final") return;
  const { meta } = message.envelope;
  const isCancelled = outcome.kind === "failed" && outcome.failure.failure_class === "cancelled";
  if (!isCancelled) {
    place.counter.countHandoff({
      from: agentNameOf(senderOf(message.envelope)),
      to: place.agent.name,
      handoff_type: meta.handoff_type,
      contract: meta.contract,
      isDone: outcome.kind !== "failed" && outcome.kind !== "rejected" && outcome.kind !== "gave_up",
    });
  }
  if (outcome.kind !== "handed_off") return;
  for (const { draft, failure } of outcome.handoffs) {
    if (failure === null) continue;
    place.counter.countHandoff({
      from: place.agent.name,
      to: draft.to,
      handoff_type: draft.options.handoffType ?? HANDOFF_TYPE_DEFAULT,
      contract: draft.contract.id,
      isDone: false,
    });
  }
}
