import type { Conversation, HistoryMessage } from "./envelope.ts";

/** Default number of a conversation's messages that are handed on. */
export const HISTORY_MESSAGES_KEPT = 50;

/** Fields of `tool_state` that name open calls: lists of ids, or of objects with an id. */
const OPEN_CALL_FIELDS = ["active_calls", "pending_approvals"] as const;

/** Returns the ids of a list entry: itself, or its id fields. */
function idsOf(call: unknown): unknown[] {
  if (typeof call !== "object" || call === null) return [call];
  return Object.entries(call)
    .filter(([name]) => name === "id" || name === "tool_call_id" || name === "call_id")
    .map(([, id]: [string, unknown]) => id);
}

function openCallIds(toolState: Readonly<Record<string, unknown>>): Set<unknown> {
  const calls = OPEN_CALL_FIELDS.flatMap((field): unknown[] => {
    const listed = toolState[field];
    return Array.isArray(listed) ? listed : [];
  });
  return new Set(calls.flatMap(idsOf));
}

function isCompletedToolResult(message: HistoryMessage, open: ReadonlySet<unknown>): boolean {
  return message.role === "tool" && !open.has(message["tool_call_id"]);
}

function countedBefore(metadata: Readonly<Record<string, unknown>>, name: string): number {
  const trimmed = metadata["trimmed"];
  if (typeof trimmed !== "object" || trimmed === null) return 0;
  const count: unknown = Object.entries(trimmed).find(([key]) => key === name)?.[1];
  return typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/**
 * Trims a conversation for a handoff: drops results of completed tool calls, unless `tool_state` names the call as
 * active or waiting for approval, and keeps the last `messagesMax` of the rest. Counts what was cut in
 * `metadata.trimmed`: `{ messages, tool_results }`. Idempotent.
 */
export function trimHistory(
  conversation: Conversation,
  messagesMax: number = HISTORY_MESSAGES_KEPT,
): Conversation {
  const { history, tool_state, metadata } = conversation;
  const open = openCallIds(tool_state);
  const relevant = history.filter((message) => !isCompletedToolResult(message, open));
  const kept = messagesMax > 0 ? relevant.slice(-messagesMax) : [];
  if (kept.length === history.length) return conversation;
  const trimmed = {
    messages: countedBefore(metadata, "messages") + relevant.length - kept.length,
    tool_results: countedBefore(metadata, "tool_results") + history.length - relevant.length,
  };
  return { history: kept, tool_state, metadata: { ...metadata, trimmed } };
}
