import type { ImagePart } from "./image-parts.ts";

type Part = { readonly type: "text"; readonly text: string } | ImagePart;

/** One message of a request. */
export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The input with the pictures that it is about: chat completions take them in the user's message. */
export interface IllustratedMessage {
  readonly role: "user";
  readonly content: Part[];
}

/**
 * Writes messages for a template that knows no system and wants user and assistant to take turns: the system's words
 * stand before the user's, and neighbours of one role are one message.
 */
export function mergeRoles(
  messages: readonly (Message | IllustratedMessage)[],
): (Message | IllustratedMessage)[] {
  const merged: (Message | IllustratedMessage)[] = [];
  for (const message of messages) {
    const turn = message.role === "system" ? { ...message, role: "user" as const } : message;
    const last = merged.at(-1);
    if (last?.role === turn.role) merged[merged.length - 1] = join(last, turn);
    else merged.push(turn);
  }
  return merged;
}

function join(
  first: Message | IllustratedMessage,
  second: Message | IllustratedMessage,
): Message | IllustratedMessage {
  if (typeof first.content === "string" && typeof second.content === "string")
    return { role: second.role, content: `${first.content}\n\n${second.content}` };
  return { role: "user", content: [...partsOf(first), ...partsOf(second)] };
}

function partsOf({ content }: Message | IllustratedMessage): Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
