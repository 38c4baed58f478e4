import type { Conversation, HistoryMessage } from "#shared/envelope";
import type { ApprovalDecision } from "./approval.ts";
import { openCallIds, readOpenCalls } from "./open-calls.ts";
import type { ToolCall } from "./open-calls.ts";

/** A tool with which the receiver continues a call. */
export interface ResumableTool {
  /**
   * Runs the call. `idempotencyKey` is null for a tool without side effects; otherwise pass it to the external
   * system.
   */
  readonly run: (
    call: ToolCall,
    how: { readonly signal: AbortSignal; readonly idempotencyKey: string | null },
  ) => Promise<unknown>;
  /** Action name of a tool with side effects: it runs once, under the agent's guard. Default: no side effects. */
  readonly action?: string;
  /** Whether a person has to approve a call, also one that another agent began. Default: only pending ones. */
  readonly needsApproval?: (call: ToolCall) => boolean;
}

/** The parts of a handler's context that tool calls use. */
export interface CallsContext {
  readonly envelope: { readonly conversation: Conversation; readonly meta: { readonly run_id: string } };
  step<Value>(name: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  once<Value>(
    key: string,
    act: (idempotencyKey: string, signal: AbortSignal) => Promise<Value>,
    options: { readonly action: string },
  ): Promise<Value>;
  approve(call: ToolCall): Promise<ApprovalDecision>;
}

/** One call with its result. */
export interface ResumedCall {
  readonly call: ToolCall;
  readonly outcome: "done" | "refused";
  /** The tool's result; for a rejected call the person's note. */
  readonly result: unknown;
}

export interface ResumedCalls {
  readonly resumed: readonly ResumedCall[];
  /** The conversation to hand on, with the results as messages and the calls closed. */
  readonly conversation: Conversation;
  /** Calls without a tool here; they stay open. */
  readonly left: readonly ToolCall[];
}

/**
 * Resumes the open tool calls of a conversation: runs active ones, and those that wait for approval after a person
 * approved. Each result is a recorded step, so a re-run repeats no call.
 *
 * @throws {ApprovalNeededError} A call waits for a person. The message waits with it, and the handler runs again
 * afterwards.
 */
export async function resumeCalls(
  ctx: CallsContext,
  tools: Readonly<Record<string, ResumableTool>>,
): Promise<ResumedCalls> {
  const { conversation } = ctx.envelope;
  const { active, pending } = readOpenCalls(conversation);
  const byName = new Map(Object.entries(tools));
  const left: ToolCall[] = [];
  const resumed: ResumedCall[] = [];
  const waiting = new Set(pending.map(({ call_id }) => call_id));
  // A call listed as active and as pending counts as pending: being active is no approval.
  const own = [...active.filter(({ call_id }) => !waiting.has(call_id)), ...pending];
  for (const call of own) {
    const tool = byName.get(call.tool);
    if (tool === undefined) left.push(call);
    else {
      const needsApproval = waiting.has(call.call_id) || tool.needsApproval?.(call) === true;
      resumed.push(await resume(ctx, { call, tool, needsApproval }));
    }
  }
  return { resumed, left, conversation: close(conversation, resumed) };
}

async function resume(
  ctx: CallsContext,
  {
    call,
    tool,
    needsApproval,
  }: { readonly call: ToolCall; readonly tool: ResumableTool; readonly needsApproval: boolean },
): Promise<ResumedCall> {
  if (needsApproval) {
    const { approved, note } = await ctx.approve(call);
    if (!approved) return { call, outcome: "refused", result: { refused: true, note } };
  }
  const { action } = tool;
  const result =
    action === undefined
      ? await ctx.step(`call/${call.call_id}`, (signal) => tool.run(call, { signal, idempotencyKey: null }))
      : await ctx.once(
          `${action}:${ctx.envelope.meta.run_id}:${call.call_id}`,
          (idempotencyKey, signal) => tool.run(call, { signal, idempotencyKey }),
          { action },
        );
  return { call, outcome: "done", result };
}

function close(conversation: Conversation, resumed: readonly ResumedCall[]): Conversation {
  const closed = new Set(resumed.map(({ call }) => call.call_id));
  const messages = resumed.map(({ call, result }): HistoryMessage => ({
    role: "tool",
    name: call.tool,
    tool_call_id: call.call_id,
    content: JSON.stringify(result ?? null),
  }));
  const stillOpen = (listed: unknown): unknown[] =>
    (Array.isArray(listed) ? listed : []).filter((entry: unknown) => {
      const ids = openCallIds({ tool_state: { active_calls: [entry] } });
      return ![...ids].some((id) => closed.has(id));
    });
  const { active_calls, pending_approvals, ...rest } = conversation.tool_state;
  const lists = Object.entries({ active_calls, pending_approvals }).map(
    ([name, listed]): [string, unknown[]] => [name, stillOpen(listed)],
  );
  return {
    history: [...conversation.history, ...messages],
    tool_state: { ...rest, ...Object.fromEntries(lists.filter(([, listed]) => listed.length > 0)) },
    metadata: conversation.metadata,
  };
}
