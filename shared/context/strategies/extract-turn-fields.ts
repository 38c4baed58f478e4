import { parseJson } from "#shared/envelope/json";
import type { Conversation, HistoryMessage } from "#shared/envelope";
import { isOfOpenCall, openCallIds } from "../open-calls.ts";
import { selectFields } from "../select-fields.ts";

/** Longest content parsed as JSON, in characters; the envelope allows no longer one. */
const CONTENT_CHARS_MAX = 65_536;

/**
 * Reduces JSON turns, such as tool results, to the named fields. Drops JSON turns with none of them, unless their
 * call is open; keeps other turns.
 */
export function extractTurnFields(conversation: Conversation, fields: readonly string[]): Conversation {
  const open = openCallIds(conversation);
  return {
    ...conversation,
    history: conversation.history.flatMap((message) => {
      const value = isOfOpenCall(message, open) ? undefined : jsonOf(message);
      if (value === undefined) return [message];
      const { value: left, missing } = selectFields(value, fields);
      if (missing.length === fields.length) return [];
      return [{ ...message, content: JSON.stringify(left) }];
    }),
  };
}

/** Parses an object or list; undefined for other text or a repeated name. */
function jsonOf({ content }: HistoryMessage): object | undefined {
  if (content.length > CONTENT_CHARS_MAX || !/^\s*[[{]/.test(content)) return undefined;
  try {
    const value: unknown = parseJson(content);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
