import type { Contract } from "#shared/contract";
import { agentNameOf } from "#shared/envelope";
import type { Delivery } from "../deliver/delivery.ts";
import type { CheckedHandoff, Outcome } from "./outcome.ts";

/**
 * Counts the well-formed outputs that a settled delivery shows: its agent's handoffs, and its own payload if that
 * came from outside the team. The ward counts malformed ones. In memory only.
 */
export function countOutputs(delivery: Delivery): void {
  const { place, outcome, message, passed, input } = delivery;
  if (passed !== "no" || outcome === null || message === null) return;
  const { meta } = message.envelope;
  if (input !== undefined && !place.team.agents.has(agentNameOf(meta.source_agent))) {
    place.circuits.count({
      agent: agentNameOf(meta.source_agent),
      producer: { agent: meta.source_agent, contract: meta.contract, model: null, prompt_version: null },
      messageId: meta.parent_id ?? meta.message_id,
    });
  }
  for (const { draft, failure } of handoffsOf(outcome)) {
    if (failure === null) count(delivery, { contract: draft.contract, model: null });
  }
}

function handoffsOf(outcome: Outcome): readonly CheckedHandoff[] {
  if (outcome.kind === "handed_off") return outcome.handoffs;
  if (outcome.kind !== "fanned_out") return [];
  return [...outcome.fanOut.branches, { draft: outcome.fanOut.join, failure: null }];
}

/** Counts a well-formed model answer for the agent that called the model. */
export function countAnswer(
  delivery: Delivery,
  answer: { readonly contract: Contract; readonly model: string },
): void {
  count(delivery, answer);
}

function count(
  { place, hold }: Delivery,
  output: { readonly contract: Contract; readonly model: string | null },
): void {
  const { agent } = place;
  place.circuits.count({
    agent: agent.name,
    producer: {
      agent: agent.id,
      contract: output.contract.id,
      model: output.model,
      prompt_version: agent.options.promptVersion ?? "1",
    },
    messageId: hold.messageId,
  });
}
