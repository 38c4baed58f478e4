import { z } from "zod";
import { contract } from "#shared/contract";
import { idsOfCall } from "#shared/envelope";
import type { Conversation, HistoryMessage } from "#shared/envelope";

/** A tool with which the receiver continues a call. */
export interface ResumableTool {
  /** Runs the call. `idempotencyKey` is for the external system; null without side effects. */
  readonly run: (
    call: ToolCall,
    how: { readonly signal: AbortSignal; readonly idempotencyKey: string | null },
  ) => Promise<unknown>;
  /** Action name of a tool with side effects: it runs once, under the agent's guard. Default: no side effects. */
  readonly action?: string;
  /** Returns true for calls that a person has to approve, also of another agent. Default: pending ones only. */
  readonly needsApproval?: (call: ToolCall) => boolean;
}

interface CallsContext {
  readonly envelope: { readonly conversation: Conversation; readonly meta: { readonly run_id: string } };
  step<Value>(name: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  once<Value>(
    key: string,
    act: (idempotencyKey: string, signal: AbortSignal) => Promise<Value>,
    options: { readonly action: string },
  ): Promise<Value>;
  approve(call: ToolCall): Promise<ApprovalDecision>;
}

interface ResumedCall {
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
 * Resumes a conversation's open tool calls, those that need approval after a person approved; each is a recorded step.
 * @throws {ApprovalNeededError} A call waits for a person. The message waits with it, and the handler runs again.
 */
export async function resumeCalls(
  ctx: CallsContext,
  tools: Readonly<Record<string, ResumableTool>>,
): Promise<ResumedCalls> {
  const { conversation } = ctx.envelope;
  const { active_calls: begun, pending_approvals: waitingForApproval } = conversation.tool_state;
  const [active, pending] = [callsIn(begun), callsIn(waitingForApproval)];
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
  const closed = new Set<unknown>(resumed.map(({ call }) => call.call_id));
  const messages = resumed.map(({ call, result }): HistoryMessage => ({
    role: "tool",
    name: call.tool,
    tool_call_id: call.call_id,
    content: JSON.stringify(result ?? null),
  }));
  const { active_calls: _active, pending_approvals: _pending, ...rest } = conversation.tool_state;
  return {
    history: [...conversation.history, ...messages],
    tool_state: {
      ...rest,
      ...openToolState(conversation, (entry) => !idsOfCall(entry).some((id) => closed.has(id))),
    },
    metadata: conversation.metadata,
  };
}

/** A tool call in a conversation's `tool_state`. Further fields are kept. */
export interface ToolCall {
  readonly call_id: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** Names that other systems use for a call's fields. */
const ID_NAMES = ["call_id", "tool_call_id", "id"] as const;
const TOOL_NAMES = ["tool", "name"] as const;
const ARGUMENT_NAMES = ["arguments", "input", "parameters"] as const;

/** Reads calls without a result. Skips entries without an id or a tool. */
function callsIn(listed: unknown): ToolCall[] {
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry: unknown) => {
    const call_id = fieldOf(entry, ID_NAMES);
    const tool = fieldOf(entry, TOOL_NAMES);
    if (typeof call_id !== "string" || typeof tool !== "string") return [];
    return [{ call_id, tool, arguments: fieldOf(entry, ARGUMENT_NAMES) ?? null }];
  });
}

function fieldOf(entry: unknown, names: readonly string[]): unknown {
  if (typeof entry !== "object" || entry === null) return undefined;
  const members = new Map(Object.entries(entry));
  const name = names.find((one) => members.has(one));
  return name === undefined ? undefined : members.get(name);
}

/** The open calls of `tool_state` that are wanted, by list. They must travel even where the history does not. */
export function openToolState(
  { tool_state }: Pick<Conversation, "tool_state">,
  isWanted: (entry: unknown) => boolean = () => true,
): Conversation["tool_state"] {
  return Object.fromEntries(
    ["active_calls", "pending_approvals"].flatMap((name): [string, unknown[]][] => {
      const listed = tool_state[name];
      const wanted = Array.isArray(listed) ? listed.filter(isWanted) : [];
      return wanted.length === 0 ? [] : [[name, wanted]];
    }),
  );
}

/** Returns true for a message that belongs to an open call: the call itself, or a reply to it. */
export function isOfOpenCall(message: HistoryMessage, open: ReadonlySet<unknown>): boolean {
  const { tool_call_id: own, tool_calls: calls } = message;
  return open.has(own) || (Array.isArray(calls) && calls.flatMap(idsOfCall).some((id) => open.has(id)));
}

/** A person's decision on a tool call, which it contains, so that it approves no other. No repair writes it. */
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
