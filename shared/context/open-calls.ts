import type { Conversation, HistoryMessage } from "#shared/envelope";

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

/** Tool calls without a result. */
export interface OpenCalls {
  /** Begun by an earlier agent; the receiver continues them. */
  readonly active: readonly ToolCall[];
  /** Waiting for a person's approval. */
  readonly pending: readonly ToolCall[];
}

/** Reads the open calls. Skips entries without an id or a tool. */
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

/** The open calls of `tool_state`, which must travel even where the history does not. */
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

/** Ids under which messages may refer to an open call. */
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

/** Returns true for a message that belongs to an open call: the call itself, or a reply to it. */
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
