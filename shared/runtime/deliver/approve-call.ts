import { Approval, ApprovalNeededError, approvalStep } from "#shared/context";
import type { ApprovalDecision, ToolCall } from "#shared/context";
import { isSameJson } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Delivery } from "./delivery.ts";
import { toJsonText } from "./json-result.ts";
import { healedAnswerOf } from "./healed-answer.ts";

/**
 * What a person has said about a tool call. Their word came back in the message that the surgeon signed for them; it
 * counts for the very call that they were shown.
 *
 * @throws {ApprovalNeededError} Nobody has said anything about this call.
 */
export function decisionOn(delivery: Delivery, call: ToolCall): ApprovalDecision {
  const { agent, limits } = delivery.place;
  const asked = asJson(call, { agent: agent.id, bytesMax: limits.resultBytesMax });
  const parsed = Approval.schema.safeParse(healedAnswerOf(delivery, approvalStep(asked)));
  // What was healed came from JSON text.
  if (parsed.success && isSameJson(parsed.data.call as JsonValue, asked))
    return { approved: parsed.data.approved, note: parsed.data.note ?? "" };
  throw new ApprovalNeededError(agent.id, asked);
}

/** As it travels: what a person is shown, and nothing that would be lost on the way to them. */
type AsJson = { readonly call_id: string; readonly tool: string; readonly arguments: JsonValue };

function asJson(
  { call_id, tool, arguments: own }: ToolCall,
  owner: { readonly agent: string; readonly bytesMax: number },
): AsJson {
  return { call_id, tool, arguments: JSON.parse(toJsonText(own, owner)) };
}
