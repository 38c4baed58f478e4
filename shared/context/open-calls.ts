import type { Conversation, HistoryMessage } from "#shared/envelope";

/** A tool call as a conversation's `tool_state` lists it. Fields beyond these are kept. */
export interface ToolCall {
  readonly call_id: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** Names under which other systems know a call's own fields. */
const ID_NAMES = ["call_id", "tool_call_id", "id"] as const;
const TOOL_NAMES = ["tool", "name"] as const;
const ARGUMENT_NAMES = ["arguments", "input", "parameters"] as const;

/** What a conversation has begun and not ended. */
export interface OpenCalls {
  /** Begun by an earlier agent; the receiver goes on with them. */
  readonly active: readonly ToolCall[];
  /** Waiting for a person's word. */
  readonly pending: readonly ToolCall[];
}

/** Reads the calls that are open. What has no id or no tool cannot be gone on with and is left where it is. */
export function readOpenCalls({ tool_state }: Pick<Conversation, "tool_state">): OpenCalls {
  return { active: callsIn(tool_state["active_calls"]), pending: callsIn(tool_state["pending_approvals"]) };
}

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

/** The parts of `tool_state` that must travel even where the history does not: what is open. */
export function openToolState({ tool_state }: Pick<Conversation, "tool_state">): Conversation["tool_state"] {
  return Object.fromEntries(
    Object.entries(tool_state).filter(
      ([name, listed]) =>
        (name === "active_calls" || name === "pending_approvals") &&
        Array.isArray(listed) &&
        listed.length > 0,
    ),
  );
}

/** Ids by which an open call may be known to messages, however it is listed. */
export function openCallIds({ tool_state }: Pick<Conversation, "tool_state">): ReadonlySet<string> {
  const listed = [tool_state["active_calls"], tool_state["pending_approvals"]].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  return new Set(
    listed.flatMap((entry: unknown) => {
      const id = typeof entry === "string" ? entry : fieldOf(entry, ID_NAMES);
      return typeof id === "string" ? [id] : [];
    }),
  );
}

/** Whether a message is part of an open call: the call itself, or something that was said to it. */
export function isOfOpenCall(message: HistoryMessage, open: ReadonlySet<string>): boolean {
  if (open.size === 0) return false;
  const own = message["tool_call_id"];
  if (typeof own === "string" && open.has(own)) return true;
  const calls = message["tool_calls"];
  return (
    Array.isArray(calls) &&
    calls.some((call: unknown) => {
      const id = fieldOf(call, ID_NAMES);
      return typeof id === "string" && open.has(id);
    })
  );
}
