import { Approval, ApprovalNeededError, approvalStep } from "#shared/context";
import type { ApprovalDecision, ToolCall } from "#shared/context";
import { isSurgeon } from "#shared/envelope";
import { isSameJson } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { healedAnswersOf } from "#shared/ward/moves";
import type { Delivery } from "./delivery.ts";
import { toJsonText } from "./json-result.ts";

/** Returns the answer that the surgeon proved or a person decided; `checkDischarge` has verified the discharge. */
export function healedAnswerOf(delivery: Pick<Delivery, "message">, step: string): unknown {
  const envelope = delivery.message?.envelope;
  if (envelope === undefined || !isSurgeon(envelope.meta.source_agent)) return undefined;
  return healedAnswersOf(envelope.conversation).get(step);
}

/**
 * Returns a person's decision on a tool call, which counts only for exactly the call that was seen.
 * @throws {ApprovalNeededError} There is no decision on this call.
 */
export function decisionOn(delivery: Delivery, call: ToolCall): ApprovalDecision {
  const { agent, limits } = delivery.place;
  const { call_id, tool, arguments: own } = call;
  const owner = { agent: agent.id, bytesMax: limits.resultBytesMax };
  // As JSON, in the form that a person sees.
  const asked = { call_id, tool, arguments: JSON.parse(toJsonText(own, owner)) as JsonValue };
  const parsed = Approval.schema.safeParse(healedAnswerOf(delivery, approvalStep(asked)));
  if (parsed.success && isSameJson(parsed.data.call, asked))
    return { approved: parsed.data.approved, note: parsed.data.note ?? "" };
  throw new ApprovalNeededError(agent.id, asked);
}
