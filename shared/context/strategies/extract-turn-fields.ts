import { parseJson } from "#shared/envelope/json";
import type { Conversation, HistoryMessage } from "#shared/envelope";
import { isOfOpenCall, openCallIds } from "../open-calls.ts";
import { selectFields } from "../select-fields.ts";

/** Longest content that is read as JSON, in characters; the envelope lets no longer one through. */
const CONTENT_CHARS_MAX = 65_536;

/**
 * A conversation in which turns that are JSON, as results of tools are, hold the named fields alone. A turn that has
 * none of them is left out, unless its call is open; words stay as they are.
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

/** An object or a list written as JSON; undefined for anything that people write, or that has a name twice. */
function jsonOf({ content }: HistoryMessage): object | undefined {
  if (content.length > CONTENT_CHARS_MAX || !/^\s*[[{]/.test(content)) return undefined;
  try {
    const value: unknown = parseJson(content);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
