import type { Conversation } from "#shared/envelope";

/** The step under which a discharge lists the codes of the guard's refusals that a person has released. */
export const RELEASED_STEP = "guard/released";

/** Returns the healed answers of a conversation, by step. A receiver takes them from a discharge alone. */
export function healedAnswersOf({ tool_state }: Conversation): ReadonlyMap<string, unknown> {
  const present = tool_state["answers"];
  return new Map(typeof present === "object" && present !== null ? Object.entries(present) : []);
}

/** Adds the healed answer of one step; answers healed before stay. */
export function withHealedAnswer(
  conversation: Conversation,
  { step, value }: { readonly step: string; readonly value: unknown },
): Conversation {
  const answers = Object.fromEntries([...healedAnswersOf(conversation), [step, value]]);
  return { ...conversation, tool_state: { ...conversation.tool_state, answers } };
}

/** Removes the healed answers: they were for the steps of one agent, and mean nothing to any other. */
export function withoutHealedAnswers(conversation: Conversation): Conversation {
  if (!("answers" in conversation.tool_state)) return conversation;
  const { answers: _healed, ...toolState } = conversation.tool_state;
  return { ...conversation, tool_state: toolState };
}
