import { z } from "zod";
import { contract } from "#shared/contract";
import type { ToolCall } from "./open-calls.ts";

/**
 * Contract of a person's decision on a tool call (human in the loop). `approved` is locked, so that no repair writes
 * it. The decision contains the call, so that it approves no other one.
 */
export const Approval = contract(
  "suture.approval@1",
  z.object({
    call: z
      .object({ call_id: z.string(), tool: z.string(), arguments: z.unknown() })
      .meta({ "x-locked": true }),
    approved: z
      .boolean()
      .meta({ "x-locked": true, description: "Whether the tool may run with these arguments." }),
    note: z.string().max(2000).optional().meta({ "x-locked": true, description: "For the agent." }),
  }),
  { description: "A person's word on a tool call that waits for it.", onContentError: "quarantine" },
);

/** A person's decision, as its handler receives it. */
export interface ApprovalDecision {
  readonly approved: boolean;
  /** The person's note to the agent; "" for none. */
  readonly note: string;
}

const APPROVAL_STEP = "approval/";

/** Name of the step whose result is the decision on a call. */
export function approvalStep(call: ToolCall): string {
  return `${APPROVAL_STEP}${call.call_id}`;
}

/** Returns true for a step that only a person may answer. */
export function isApprovalStep(step: string): boolean {
  return step.startsWith(APPROVAL_STEP);
}
