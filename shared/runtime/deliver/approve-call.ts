import { Approval, ApprovalNeededError, approvalStep } from "#shared/context";
import type { ApprovalDecision, ToolCall } from "#shared/context";
import { isSameJson } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Delivery } from "./delivery.ts";
import { toJsonText } from "./json-result.ts";
import { healedAnswerOf } from "./healed-answer.ts";

/**
 * Returns a person's decision on a tool call. It arrives in a message that the surgeon signed, and counts only for
 * exactly the call that the person saw.
 *
 * @throws {ApprovalNeededError} There is no decision on this call.
 */
export function decisionOn(delivery: Delivery, call: ToolCall): ApprovalDecision {
  const { agent, limits } = delivery.place;
  const asked = asJson(call, { agent: agent.id, bytesMax: limits.resultBytesMax });
  const parsed = Approval.schema.safeParse(healedAnswerOf(delivery, approvalStep(asked)));
  if (parsed.success && isSameJson(parsed.data.call, asked))
    return { approved: parsed.data.approved, note: parsed.data.note ?? "" };
  throw new ApprovalNeededError(agent.id, asked);
}

/** The call as JSON, in the form that a person sees. */
type AsJson = { readonly call_id: string; readonly tool: string; readonly arguments: JsonValue };

function asJson(
  { call_id, tool, arguments: own }: ToolCall,
  owner: { readonly agent: string; readonly bytesMax: number },
): AsJson {
  return { call_id, tool, arguments: JSON.parse(toJsonText(own, owner)) };
}
