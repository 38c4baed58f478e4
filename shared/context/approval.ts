import { z } from "zod";
import { contract } from "#shared/contract";
import type { ToolCall } from "./open-calls.ts";

/**
 * What a person says about one tool call before the tool runs. Only a person writes `approved`: no procedure of the
 * ward may, because the field is locked. The call stands in it so that a yes is never a yes to another call.
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

/** A person's decision as a handler gets it. */
export interface ApprovalDecision {
  readonly approved: boolean;
  /** What the person told the agent; "" for nothing. */
  readonly note: string;
}

const APPROVAL_STEP = "approval/";

/** The step whose result a decision is. */
export function approvalStep(call: ToolCall): string {
  return `${APPROVAL_STEP}${call.call_id}`;
}

/** Returns true for a step that a person answers, and no procedure of the ward. */
export function isApprovalStep(step: string): boolean {
  return step.startsWith(APPROVAL_STEP);
}
